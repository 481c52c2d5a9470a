import Foundation

let resources = "Sources/Strata/Strata.docc/Resources"

/// The style sheet of the drawing of a plan, with a rule for curves of each color.
private let style: String = {
  let path = "\(resources)/layers.svg"
  guard let plan = try? String(contentsOfFile: path, encoding: .utf8) else { return "" }
  let rules = plan.components(separatedBy: "<style>\n")[1].components(separatedBy: "</style>")[0]
  return rules.replacingOccurrences(
    of: #"\.(\w+) \{ fill: (#\w+); \}"#,
    with: ".$1 { fill: $2; }\n.curve.$1 { fill: none; stroke: $2; stroke-width: 1.6; }",
    options: .regularExpression)
}()

/// A drawing that is 640 units wide.
struct Picture {
  let title: String
  private var elements: [String] = []

  init(_ title: String) { self.title = title }

  mutating func text(
    _ text: String, _ x: Double, _ y: Double, _ style: String = "", at anchor: String = "start"
  ) {
    let text = text.replacingOccurrences(of: "&", with: "&amp;")
      .replacingOccurrences(of: "<", with: "&lt;").replacingOccurrences(of: ">", with: "&gt;")
    elements.append(
      "<text x=\"\(x)\" y=\"\(y)\" class=\"\(style)\" text-anchor=\"\(anchor)\">\(text)</text>")
  }

  mutating func box(
    _ x: Double, _ y: Double, _ width: Double, _ height: Double, _ style: String = "box",
    faint: Bool = false
  ) {
    elements.append(
      "<rect x=\"\(x)\" y=\"\(y)\" width=\"\(width)\" height=\"\(height)\" rx=\"4\" class=\"\(style)\""
        + (faint ? " fill-opacity=\"0.16\"/>" : "/>"))
  }

  mutating func line(_ x1: Double, _ y1: Double, _ x2: Double, _ y2: Double, _ style: String = "") {
    elements.append(
      "<line x1=\"\(x1)\" y1=\"\(y1)\" x2=\"\(x2)\" y2=\"\(y2)\" class=\"arrow \(style)\"/>")
  }

  /// Draws a horizontal or vertical arrow.
  mutating func arrow(_ x1: Double, _ y1: Double, _ x2: Double, _ y2: Double, _ style: String = "")
  {
    let (dx, dy) = (x2 == x1 ? 0.0 : x2 > x1 ? 6.0 : -6, y2 == y1 ? 0.0 : y2 > y1 ? 6.0 : -6)
    let (backX, backY, sideX, sideY) = (x2 - dx, y2 - dy, dy == 0 ? 0.0 : 4, dx == 0 ? 0.0 : 4)
    line(x1, y1, backX, backY, style)
    elements.append(
      "<polygon points=\"\(x2),\(y2) \(backX - sideX),\(backY - sideY) \(backX + sideX),\(backY + sideY)\" "
        + "class=\"head\"/>")
  }

  /// Draws a curve through points.
  mutating func curve(_ points: [(x: Double, y: Double)], _ style: String) {
    let path = points.map { "\(Self.placed($0.x)),\(Self.placed($0.y))" }.joined(separator: " ")
    elements.append("<polyline points=\"\(path)\" class=\"curve \(style)\"/>")
  }

  private static func placed(_ number: Double) -> Double { (number * 10).rounded() / 10 }

  func save(_ path: String, height: Double) throws {
    let svg = """
      <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 640 \(height)" width="640" height="\(height)" role="img">
      <title>\(title)</title>
      <style>
      \(style)</style>
      <rect width="100%" height="100%" class="ground"/>
      \(elements.joined(separator: "\n"))
      </svg>

      """.replacingOccurrences(of: #"(?<=\d)\.0(?=[", ])"#, with: "", options: .regularExpression)
    try Data(svg.utf8).write(to: URL(fileURLWithPath: path))
  }
}
