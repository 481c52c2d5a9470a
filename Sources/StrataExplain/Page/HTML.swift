/// Markup in which every text that comes from a program is escaped.
///
/// Only literals create markup. A literal can contain interpolations: markup is inserted unchanged.
/// Text becomes a single line, is shortened, and is escaped for both elements and attributes. So no
/// function that draws a part of the page can forget to escape.
struct HTML: Sendable, ExpressibleByStringInterpolation {
  /// The maximum number of characters of one text. Some texts are long, for example the text of a
  /// plan with hundreds of levels.
  static let longestText = 600

  private(set) var text: String

  init(stringLiteral markup: String) { text = markup }

  init(stringInterpolation markup: Interpolation) { text = markup.text }

  /// Joins parts of a page, one below the other.
  init(_ parts: [HTML]) { text = parts.map(\.text).joined(separator: "\n") }

  /// A name that comes from a program. Its writing direction doesn't affect the text around it.
  static func name(_ name: String) -> HTML { "<bdi>\(name)</bdi>" }

  /// A line of a drawing. Unlike other texts, the list of its points isn't shortened.
  static func polyline(_ points: [(x: Double, y: Double)], _ style: String) -> HTML {
    let points = HTML(points.map { "\($0.x.placed),\($0.y.placed)" })
    return "<polyline class=\"\(style)\" points=\"\(points)\"/>"
  }

  struct Interpolation: StringInterpolationProtocol {
    fileprivate var text = ""

    init(literalCapacity: Int, interpolationCount: Int) { text.reserveCapacity(literalCapacity) }

    mutating func appendLiteral(_ markup: String) { text += markup }

    mutating func appendInterpolation(_ text: String) {
      self.text += text.cut(to: HTML.longestText).escaped
    }

    mutating func appendInterpolation(_ markup: HTML) { text += markup.text }

    mutating func appendInterpolation(_ parts: [HTML]) { text += HTML(parts).text }
  }
}
