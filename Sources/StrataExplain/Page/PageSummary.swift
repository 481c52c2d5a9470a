/// The tiles with the most important figures.
struct PageSummary {
  private let totals: PageTotals
  private let report: StatisticsReport?

  init(_ totals: PageTotals, _ report: StatisticsReport?) {
    (self.totals, self.report) = (totals, report)
  }

  var html: HTML? {
    guard let report else { return nil }
    let latency = totals.whole?.latency ?? totals.levels.first.flatMap { totals[$0.name]?.latency }
    let failures = report.stages.reduce(0.0) { $0 + Double($1.failures) }
    let open = report.stages.filter(\.isCircuitOpen).count
    let waiting = totals.whole.map { Double($0.inFlight) }
    return """
      <section class="tiles" aria-label="Summary">
      \(tile("hit ratio", PageFigures.percent(totals.hitRatio)))
      \(tile("gets", PageFigures.count(totals.gets)))
      \(tile("origin loads", PageFigures.count(totals.loads)))
      \(tile("p50", PageFigures.duration(latency?.quantile(0.5))))
      \(tile("p99", PageFigures.duration(latency?.quantile(0.99))))
      \(tile("in flight", PageFigures.count(waiting ?? 0)))
      \(tile("failures", PageFigures.count(failures), isBad: failures > 0))
      \(tile("open circuits", PageFigures.count(Double(open)), isBad: open > 0))
      </section>
      """
  }

  private func tile(_ title: String, _ figure: String, isBad: Bool = false) -> HTML {
    """
    <div class="tile\(isBad ? " bad" : "")"><span class="quiet">\(title)</span> \
    <b>\(isBad ? "⚠ " : "")\(figure)</b></div>
    """
  }
}
