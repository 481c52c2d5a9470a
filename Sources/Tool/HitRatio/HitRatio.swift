import Foundation

/// The command: replays every trace under every policy, and shows how often each had the answer.
struct HitRatio {
  let options: HitRatioOptions
  let console: Console

  func run() throws -> ExitStatus {
    let traces = try options.traces.map(Trace.init(at:))  // Before anything is printed.
    if options.isCSV { try console.print("trace,capacity,policy,hit_ratio") }
    var replays: [Replay] = []
    for (index, trace) in traces.enumerated() {
      console.complain("[\(index + 1)/\(traces.count)] \(trace.name)")
      let replay = Replay(
        trace, options.effectiveCapacities, options.policies, seed: options.seed)
      if options.isCSV { try replay.csv.forEach(console.print) }
      if !options.isCSV { try console.print(HitRatioView(replay, console.isColoured).text) }
      replays.append(replay)
    }
    if let file = options.svg { try HitRatioChart(replays).svg.write(toFile: file) }
    return .success
  }
}

extension Double {
  /// `0.5034`.
  var inFourDecimals: String { String(format: "%.4f", self) }

  /// `50.3`.
  var inPercent: String { String(format: "%.1f", self * 100) }
}
