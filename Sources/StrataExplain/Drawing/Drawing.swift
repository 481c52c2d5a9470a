/// A drawing in SVG, 600 units wide, with colors for light and dark mode.
struct Drawing {
  static let width = 600.0
  /// The width of a character, which is the largest of the fonts in the style sheet.
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

  /// Adds the elements of another drawing in front of this one.
  mutating func add(_ other: Drawing) { elements += other.elements }

  /// The drawing as an SVG file.
  func svg(height: Double) -> String {
    """
    <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(Self.width.placed) \(height.placed)" \
    width="\(Self.width.placed)" height="\(height.placed)" role="img">
    <title>\(title.escaped)</title>
    <style>
    \(DrawingColors.style)
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
  /// This text on one line, escaped for XML.
  var escaped: String {
    var text = ""
    for character in onOneLine.unicodeScalars {
      switch character {
      case "&": text += "&amp;"
      case "<": text += "&lt;"
      case ">": text += "&gt;"
      case "\"": text += "&quot;"
      default: text.unicodeScalars.append(character)
      }
    }
    return text
  }
}
