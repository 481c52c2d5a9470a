/// The curves of a simulation, each with its knee and a table of its points.
struct PageCurves {
  private let curves: [StatusPage.Curve]

  init(_ curves: [StatusPage.Curve]) { self.curves = curves.filter { !$0.points.isEmpty } }

  var html: HTML? {
    guard !curves.isEmpty else { return nil }
    return """
      <section>
      <h2>At other capacities</h2>
      <p class="quiet">Beyond the knee of a curve, more capacity gains little.</p>
      <div class="charts">
      \(curves.map(draw))
      </div>
      </section>
      """
  }

  private func draw(_ curve: StatusPage.Curve) -> HTML {
    let figure = text(of: curve.unit)
    let chart = PageChart(
      title: curve.title,
      lines: [
        .init(
          name: curve.title, color: "memory", points: curve.points.map { ($0.capacity, $0.figure) })
      ], marks: marks(curve), top: curve.unit == .fraction ? 1 : 0, vertical: figure,
      horizontal: PageFigures.count)
    return """
      <div>
      \(chart.html)
      <details><summary>\(summary(curve))</summary>
      <table class="plain">
      <thead><tr><th scope="col">capacity</th><th scope="col">figure</th></tr></thead>
      <tbody>
      \(curve.points.map { point -> HTML in
        "<tr><td>\(PageFigures.count(point.capacity))</td><td>\(figure(point.figure))</td></tr>"
      })
      </tbody>
      </table>
      </details>
      </div>
      """
  }

  private func marks(_ curve: StatusPage.Curve) -> [PageChart.Mark] {
    let current = curve.current.flatMap { mark(curve, at: $0, "now", "now") }
    let knee = curve.knee.flatMap { mark(curve, at: $0, "knee", "knee") }
    let isSame = current != nil && curve.knee == curve.current
    guard !isSame else {
      return [mark(curve, at: curve.knee ?? 0, "now, at the knee", "knee")].compactMap(\.self)
    }
    return [current, knee].compactMap(\.self)
  }

  private func mark(
    _ curve: StatusPage.Curve, at capacity: Double, _ label: String, _ style: String
  ) -> PageChart.Mark? {
    curve.points.min { abs($0.capacity - capacity) < abs($1.capacity - capacity) }.map {
      PageChart.Mark(x: $0.capacity, y: $0.figure, label: label, style: style)
    }
  }

  private func summary(_ curve: StatusPage.Curve) -> String {
    curve.knee.map { "Knee at \(PageFigures.count($0)); all figures" } ?? "No knee; all figures"
  }

  private func text(of unit: StatusPage.Curve.Unit) -> @Sendable (Double) -> String {
    switch unit {
    case .count: PageFigures.count
    case .fraction: { PageFigures.percent($0) }
    case .seconds: { PageFigures.duration($0) }
    }
  }
}
