import Foundation

/// The `hitratio` command, which replays every trace under every policy.
struct HitRatio {
  let options: HitRatioOptions
  let console: Console

  func run() throws -> ExitStatus {
    try options.svg?.check()
    if let svg = options.svg, let trace = options.traces.first(where: svg.isSame) {
      throw UsageError.value(
        trace.printable, of: "--svg", expected: "another file than the traces")
    }
    var traces = try options.traces.map {  // All traces are read before anything is printed.
      try RequestTrace(at: $0, isSized: options.isSized)
    }
    let names = RequestTrace.names(Array(zip(traces.map(\.name), options.traces)))
    for (index, name) in names.enumerated() { traces[index].name = name }
    var printout = Printout(on: console, beside: [options.svg])
    let isSized = traces.contains { $0.sizes != nil }
    let header = "trace,capacity,policy,hit_ratio" + (isSized ? ",byte_hit_ratio" : "")
    if options.isCSV { try printout.print(header) }
    var replays: [Replay] = []
    for (index, trace) in traces.enumerated() {
      console.complain("[\(index + 1)/\(traces.count)] \(trace.name)")
      var progress = ProgressLine.standard
      defer { progress.end() }
      let replay = Replay(
        trace, options.effectiveCapacities, try options.policies(for: trace),
        seed: options.seed
      ) { progress.show($0) }
      progress.end()
      let lines =
        options.isCSV
        ? replay.csv(withBytes: isSized) : HitRatioView.tables(of: replay, console.isColored)
      for line in lines { try printout.print(line) }
      replays.append(replay)
    }
    try options.svg?.write(HitRatioChart(replays).svg)
    try printout.end()
    return .success
  }
}

extension Double {
  /// The number as text with four decimals, such as `0.5034`.
  var inFourDecimals: String { String(format: "%.4f", self) }

  /// The fraction as a percentage without a percent sign, such as `50.3`.
  var inPercent: String { String(format: "%.1f", self * 100) }
}
