/// A drawing that browsers show, in colours that follow the reader's choice of light or dark.
struct Drawing {
  let width: Double
  private var elements: [String] = []

  init(width: Double) { self.width = width }

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
    let places = points.map { "\($0.0.placed),\($0.1.placed)" }.joined(separator: " ")
    elements.append("<polyline points=\"\(places)\" class=\"curve \(style)\"/>")
  }

  mutating func dot(x: Double, y: Double, radius: Double, _ style: String) {
    elements.append(
      "<circle cx=\"\(x.placed)\" cy=\"\(y.placed)\" r=\"\(radius.placed)\" class=\"\(style)\"/>")
  }

  /// The drawing as a file of its own.
  func svg(height: Double) -> String {
    """
    <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(width.placed) \(height.placed)" \
    width="\(width.placed)" height="\(height.placed)" role="img">
    <style>
    \(Self.style)
    </style>
    <rect width="100%" height="100%" class="ground"/>
    \(elements.joined(separator: "\n"))
    </svg>

    """
  }

  private static let style = """
    :root { color-scheme: light dark; --ground: #ffffff; --ink: #1f2328; --quiet: #59636e;
      --rule: #d1d9e0; --strata: #0969da; --baseline: #9aa4af; --p1: #bc4c00; --p2: #8250df;
      --p3: #1a7f37; --p4: #bf3989; --p5: #7d5e00; --best: #59636e; }
    @media (prefers-color-scheme: dark) {
      :root { --ground: #0d1117; --ink: #e6edf3; --quiet: #9198a1; --rule: #3d444d;
        --strata: #4493f8; --baseline: #656c76; --p1: #f0883e; --p2: #ab7df8; --p3: #3fb950;
        --p4: #f778ba; --p5: #d4a72c; --best: #9198a1; }
    }
    .ground { fill: var(--ground); }
    text { font: 12px system-ui, -apple-system, "Segoe UI", "DejaVu Sans", sans-serif;
      fill: var(--ink); }
    .title { font-size: 18px; font-weight: 600; }
    .heading { font-size: 13px; font-weight: 600; }
    .quiet { fill: var(--quiet); }
    .end { text-anchor: end; }
    .middle { text-anchor: middle; }
    rect.strata { fill: var(--strata); }
    rect.baseline { fill: var(--baseline); }
    .spread { stroke: var(--ink); stroke-width: 1.5; }
    .knee { fill: none; stroke: var(--ink); stroke-width: 2; }
    .rule { stroke: var(--rule); stroke-width: 1; }
    .curve { fill: none; stroke-width: 1.75; stroke-linejoin: round; }
    """
    + ["strata", "p1", "p2", "p3", "p4", "p5", "best"].map {
      "\n.curve.\($0) { stroke: var(--\($0)); }\ncircle.\($0) { fill: var(--\($0)); }"
    }.joined()
    + "\n.curve.strata { stroke-width: 3; }\n.curve.best { stroke-dasharray: 5 4; }"
}

extension Double {
  /// A tenth of a pixel is enough.
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
