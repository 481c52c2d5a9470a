import Strata
import StrataExplain

/// The `simulate` command, which replays a trace through a whole pipeline at several capacities.
struct Simulate {
  /// The capacities of a curve, as multiples of the given capacity.
  static let parts = [0.125, 0.25, 0.5, 0.75, 1, 1.5, 2, 3, 4, 6, 8]

  let options: SimulateOptions
  let console: Console

  func run() throws -> ExitStatus {
    try options.html?.check()
    if let html = options.html, html.isSame(as: options.trace) {
      throw UsageError.value(
        options.trace.printable, of: "--html", expected: "another file than the trace")
    }
    let plain = try RequestTrace(at: options.trace, isSized: options.isSized)
    let timed =
      options.isTimed
      ? try TimedTrace(timesIn: plain) : TimedTrace(plain, perSecond: options.rate)
    var progress = ProgressLine.standard
    defer { progress.end() }
    let page = try page(timed) { progress.show($0) }
    progress.end()
    var printout = Printout(on: console, beside: [options.html])
    for line in page.lines { try printout.print(line) }
    try options.html?.write(page.page.html)
    try printout.end()
    return .success
  }

  /// Simulates the pipeline as given, and then again with other capacities of one level at a time.
  func page(
    _ timed: TimedTrace, step: (Double) -> Void
  ) throws -> (page: StatusPage, lines: [String]) {
    let levels = options.pipeline.levels
    let runs = Double(1 + (levels.count - 1) * (Self.parts.count - 1))
    var done = 0.0
    func result(_ simulation: inout Simulation) -> Simulation.Result {
      let count = Double(timed.trace.requests.count)
      defer { done += 1 }
      return simulation.run(timed.trace, at: { timed.times[$0] }) { index in
        step((done + Double(index) / count) / runs)
      }
    }
    var simulation = Simulation(options.pipeline, timed.trace)
    let given = result(&simulation)
    var page = StatusPage(
      of: simulation.cache.plan, simulation.series.reports,
      title: "Simulation of \(timed.trace.name)")
    var lines = [Self.line("as given", given)]
    for (index, level) in levels.enumerated() {
      guard let capacity = level.capacity else { continue }
      var results: [(capacity: Int, result: Simulation.Result)] = []
      for size in Self.capacities(around: capacity) {
        var changed = options.pipeline
        changed.levels[index].capacity = size
        var other = Simulation(changed, timed.trace)
        results.append((size, size == capacity ? given : result(&other)))
      }
      let curves = Self.curves(level.name, capacity, results)
      page.curves += curves
      lines += results.map { Self.line("\(level.name)(\($0.capacity))", $0.result) }
      lines += curves.prefix(1).map { curve in
        curve.knee.map { "the knee of \(level.name) is at \(Int($0))" }
          ?? "\(level.name) has no knee in this range"
      }
    }
    return (page, lines)
  }

  private static func capacities(around capacity: Int) -> [Int] {
    Set(parts.map { max(1, Int((Double(capacity) * $0).rounded())) }).sorted()
  }

  private static func curves(
    _ name: String, _ capacity: Int, _ results: [(capacity: Int, result: Simulation.Result)]
  ) -> [StatusPage.Curve] {
    func curve(
      _ title: String, _ unit: StatusPage.Curve.Unit, _ figure: (Simulation.Result) -> Double
    ) -> StatusPage.Curve {
      StatusPage.Curve(
        title: "\(title), by capacity of \(name)", unit: unit,
        points: results.map { (Double($0.capacity), figure($0.result)) },
        current: Double(capacity))
    }
    return [
      curve("Hit ratio", .fraction, \.hitRatio), curve("Mean latency", .seconds, \.latency),
      curve("Origin loads", .count) { Double($0.loads) },
    ]
  }

  private static func line(_ name: String, _ result: Simulation.Result) -> String {
    "\(name.padding(to: 24)) hit ratio \(result.hitRatio.inPercent) %, "
      + "mean latency \(Duration.seconds(result.latency).formattedShort), "
      + "\(result.loads) origin loads"
  }
}
