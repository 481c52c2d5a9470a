/// A chart with one or several lines.
///
/// The lines are an SVG drawing, which is stretched to the width of the page. Labels aren't part of
/// this drawing, so they keep their size on a phone.
struct PageChart: Sendable {
  /// A line through points, from left to right, with gaps where values are unknown.
  struct Line: Sendable {
    let name: String
    /// The name of a color in `DrawingColors`.
    let color: String
    let points: [(x: Double, y: Double?)]
  }

  /// A marked point with its label.
  struct Mark: Sendable {
    let x: Double
    let y: Double
    let label: String
    let style: String
  }

  let title: String
  let lines: [Line]
  var marks: [Mark] = []
  /// The minimum upper end of the vertical axis. The lower end is zero.
  var top = 0.0
  let vertical: @Sendable (Double) -> String
  let horizontal: @Sendable (Double) -> String

  var html: HTML {
    let known = lines.flatMap { $0.points.compactMap(\.y) }
    let xs = lines.flatMap { $0.points.map(\.x) }
    let (left, right) = (xs.min() ?? 0, xs.max() ?? 0)
    let height = Self.rounded(up: max(top, known.max() ?? 0))
    return """
      <figure>
      <figcaption>\(.name(title))\(legend)</figcaption>
      <div class="chart">
      <div class="axis"><span>\(vertical(height))</span><span>\(vertical(height / 2))</span>\
      <span>\(vertical(0))</span></div>
      <div class="plot">
      <svg viewBox="0 0 1000 100" preserveAspectRatio="none" role="img">
      <title>\(summary(known))</title>
      <line x1="0" y1="50" x2="1000" y2="50" class="grid"/>
      \(lines.map { draw($0, from: left, to: right, height) })
      </svg>
      \(marks.map { draw($0, from: left, to: right, height) })
      </div>
      <div class="axis below"><span>\(horizontal(left))</span><span>\(horizontal(right))</span></div>
      </div>
      </figure>
      """
  }

  private var legend: HTML {
    guard lines.count > 1 else { return "" }
    return HTML(lines.map { " <span class=\"key \($0.color)\">\(.name($0.name))</span>" })
  }

  private func summary(_ known: [Double]) -> String {
    guard let low = known.min(), let high = known.max() else { return "\(title): no figures" }
    return "\(title): from \(vertical(low)) to \(vertical(high))"
  }

  private func draw(_ line: Line, from left: Double, to right: Double, _ height: Double) -> HTML {
    let runs = line.points.split { $0.y == nil }
    return HTML(
      runs.map { run in
        let points = run.map { point in
          let (x, y) = (Self.part(point.x, left, right), Self.part(point.y ?? 0, 0, height))
          return (x: 1000 * x, y: 100 - 100 * y)
        }
        // A line with a single point would be invisible.
        let ends = points.count > 1 ? [] : points.map { (x: $0.x + 6, y: $0.y) }
        return .polyline(points + ends, "line \(line.color)")
      })
  }

  private func draw(_ mark: Mark, from left: Double, to right: Double, _ height: Double) -> HTML {
    let (x, y) = (Self.part(mark.x, left, right), Self.part(mark.y, 0, height))
    let side = x > 0.6 ? "left" : "right"
    return """
      <i class="mark \(mark.style) \(side)" style="left:\(PageFigures.share(x));\
      bottom:\(PageFigures.share(y))"><span>\(.name(mark.label))</span></i>
      """
  }

  private static func part(_ value: Double, _ low: Double, _ high: Double) -> Double {
    let part = (value - low) / (high - low)
    return part.isFinite ? min(max(part, 0), 1) : 0
  }

  /// Rounds up to 1, 2, 2.5, or 5 times a power of ten, so the axis has short labels.
  private static func rounded(up number: Double) -> Double {
    guard number > 1e-12, number < 1e18 else { return number < 1e18 ? 1 : 1e18 }
    var size = 1.0
    while size > number { size /= 10 }
    while size * 10 <= number { size *= 10 }
    return [1, 2, 2.5, 5, 10].map { $0 * size }.first { $0 >= number } ?? size * 10
  }
}
