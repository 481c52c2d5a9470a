/// An SVG drawing that is 600 units wide and has colors for light and dark mode.
struct Drawing {
  static let width = 600.0
  /// The width of a character in the widest font of the style sheet.
  static let character = 7.3

  private var elements: [String] = []
  /// The text for screen readers.
  let title: String

  init(title: String) { self.title = title }

  mutating func text(_ text: String, x: Double, y: Double, _ style: String) {
    elements.append(
      "<text x=\"\(x.placed)\" y=\"\(y.placed)\" class=\"\(style)\">\(text.escaped)</text>")
  }

  mutating func box(
    x: Double, y: Double, width: Double, height: Double, radius: Double = 6, _ style: String
  ) {
    elements.append(
      "<rect x=\"\(x.placed)\" y=\"\(y.placed)\" width=\"\(width.placed)\" "
        + "height=\"\(height.placed)\" rx=\"\(radius.placed)\" class=\"\(style)\"/>")
  }

  /// Adds a vertical arrow with its head at `end`.
  mutating func arrow(x: Double, from start: Double, to end: Double, _ style: String) {
    let back = end > start ? end - 6 : end + 6
    elements.append(
      "<line x1=\"\(x.placed)\" y1=\"\(start.placed)\" x2=\"\(x.placed)\" y2=\"\(back.placed)\" "
        + "class=\"arrow \(style)\"/>")
    let points = [(x, end), (x - 4, back), (x + 4, back)]
    elements.append(
      "<polygon points=\"\(points.map { "\($0.0.placed),\($0.1.placed)" }.joined(separator: " "))\" "
        + "class=\"head\"/>")
  }

  /// Draws another drawing on top of this drawing.
  mutating func add(_ other: Drawing) { elements += other.elements }

  /// Returns the drawing as the text of an SVG file.
  func svg(height: Double) -> String {
    SVG.file(
      width: Self.width, height: height, title: title, style: DrawingColors.style, elements)
  }
}
