import StrataExplain

/// An SVG drawing with colors for light and dark mode.
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

  /// Returns the drawing as the text of an SVG file.
  func svg(height: Double) -> String {
    SVG.file(width: width, height: height, title: title, style: Palette.style, elements)
  }
}
