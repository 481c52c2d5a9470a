import Foundation

/// The `hitratio` command, which replays every trace under every policy.
struct HitRatio {
  let options: HitRatioOptions
  let console: Console

  func run() throws -> ExitStatus {
    try options.svg?.check()
    let traces = try options.traces.map(RequestTrace.init(at:))  // Reads before printing.
    var printout = Printout(on: console, beside: [options.svg])
    if options.isCSV { try printout.print("trace,capacity,policy,hit_ratio") }
    var replays: [Replay] = []
    for (index, trace) in traces.enumerated() {
      console.complain("[\(index + 1)/\(traces.count)] \(trace.name)")
      let replay = Replay(
        trace, options.effectiveCapacities, options.policies, seed: options.seed)
      let lines = options.isCSV ? replay.csv : [HitRatioView(replay, console.isColored).text]
      for line in lines { try printout.print(line) }
      replays.append(replay)
    }
    try options.svg?.write(HitRatioChart(replays).svg)
    try printout.end()
    return .success
  }
}

extension Double {
  /// The number with four decimals, such as `0.5034`.
  var inFourDecimals: String { String(format: "%.4f", self) }

  /// The fraction as a percentage, such as `50.3`.
  var inPercent: String { String(format: "%.1f", self * 100) }
}
