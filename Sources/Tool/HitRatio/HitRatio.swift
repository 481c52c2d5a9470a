import Foundation

/// The command: replays every trace under every policy, and shows how often each had the answer.
struct HitRatio {
  let options: HitRatioOptions
  let console: Console

  func run() throws -> ExitStatus {
    try options.svg?.check()
    let traces = try options.traces.map(Trace.init(at:))  // Before anything is printed.
    var printout = Printout(on: console, beside: [options.svg])
    if options.isCSV { try printout.print("trace,capacity,policy,hit_ratio") }
    var replays: [Replay] = []
    for (index, trace) in traces.enumerated() {
      console.complain("[\(index + 1)/\(traces.count)] \(trace.name)")
      let replay = Replay(
        trace, options.effectiveCapacities, options.policies, seed: options.seed)
      let lines = options.isCSV ? replay.csv : [HitRatioView(replay, console.isColoured).text]
      for line in lines { try printout.print(line) }
      replays.append(replay)
    }
    try options.svg?.write(HitRatioChart(replays).svg)
    try printout.end()
    return .success
  }
}

extension Double {
  /// `0.5034`.
  var inFourDecimals: String { String(format: "%.4f", self) }

  /// `50.3`.
  var inPercent: String { String(format: "%.1f", self * 100) }
}
