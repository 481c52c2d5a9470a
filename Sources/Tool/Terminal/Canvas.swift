/// A drawing in SVG, with colors for light and dark mode.
struct Canvas {
  let width: Double
  /// The text for screen readers.
  let title: String
  private var elements: [String] = []

  init(width: Double, title: String) {
    self.width = width
    self.title = title
  }

  mutating func text(_ text: String, x: Double, y: Double, _ style: String) {
    elements.append(
      "<text x=\"\(x.placed)\" y=\"\(y.placed)\" class=\"\(style)\">\(text.escaped)</text>")
  }

  mutating func bar(x: Double, y: Double, width: Double, height: Double, _ style: String) {
    elements.append(
      "<rect x=\"\(x.placed)\" y=\"\(y.placed)\" width=\"\(width.placed)\" "
        + "height=\"\(height.placed)\" rx=\"2\" class=\"\(style)\"/>")
  }

  mutating func line(from start: (Double, Double), to end: (Double, Double), _ style: String) {
    elements.append(
      "<line x1=\"\(start.0.placed)\" y1=\"\(start.1.placed)\" "
        + "x2=\"\(end.0.placed)\" y2=\"\(end.1.placed)\" class=\"\(style)\"/>")
  }

  mutating func curve(_ points: [(Double, Double)], _ style: String) {
    let positions = points.map { "\($0.0.placed),\($0.1.placed)" }.joined(separator: " ")
    elements.append("<polyline points=\"\(positions)\" class=\"curve \(style)\"/>")
  }

  mutating func dot(x: Double, y: Double, radius: Double, _ style: String) {
    elements.append(
      "<circle cx=\"\(x.placed)\" cy=\"\(y.placed)\" r=\"\(radius.placed)\" class=\"\(style)\"/>")
  }

  /// The drawing as an SVG file.
  func svg(height: Double) -> String {
    """
    <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(width.placed) \(height.placed)" \
    width="\(width.placed)" height="\(height.placed)" role="img">
    <title>\(title.escaped)</title>
    <style>
    \(Palette.style)
    </style>
    <rect width="100%" height="100%" class="ground"/>
    \(elements.joined(separator: "\n"))
    </svg>

    """
  }
}

extension Double {
  /// The number rounded to a tenth.
  fileprivate var placed: String {
    let tenths = (self * 10).rounded()
    return tenths.truncatingRemainder(dividingBy: 10) == 0
      ? String(Int(tenths / 10)) : String(tenths / 10)
  }
}

extension String {
  fileprivate var escaped: String {
    var text = ""
    for scalar in unicodeScalars {
      switch scalar {
      case "&": text += "&amp;"
      case "<": text += "&lt;"
      case ">": text += "&gt;"
      case "\"": text += "&quot;"
      case _ where scalar.value < 32 || (0xFFFE...0xFFFF).contains(scalar.value): text += " "
      default: text.unicodeScalars.append(scalar)
      }
    }
    return text
  }
}
