/// Sizes and other gauges, each next to its limit.
struct PageGauges {
  private let gauges: [StatisticsReport.Gauge]

  init(_ gauges: [StatisticsReport.Gauge]) { self.gauges = gauges }

  var html: HTML? {
    guard !gauges.isEmpty else { return nil }
    return """
      <section>
      <h2>Sizes and limits</h2>
      <dl class="gauges">
      \(gauges.map(row))
      </dl>
      </section>
      """
  }

  private func row(_ gauge: StatisticsReport.Gauge) -> HTML {
    let value = PageFigures.count(gauge.value)
    guard let limit = gauge.limit else {
      return "\(term(gauge))<dd><span>\(value)</span></dd>"
    }
    let part = limit > 0 ? gauge.value / limit : 0
    return """
      \(term(gauge))<dd><div class="bar"><i style="width:\(PageFigures.share(part))"></i></div>\
      <span>\(value) of \(PageFigures.count(limit)) (\(PageFigures.percent(part)))</span></dd>
      """
  }

  private func term(_ gauge: StatisticsReport.Gauge) -> HTML {
    "<dt>\(.name(gauge.stage)) <span class=\"quiet\">\(.name(gauge.name))</span></dt>"
  }
}
