/// The colors of a drawing in light or dark mode.
///
/// Colors are repeated in every rule of the style sheet, because some viewers don't support CSS
/// variables.
struct Palette: Sendable {
  let ground: String
  let ink: String
  let quiet: String
  let rule: String
  let baseline: String
  /// The colors of the curves, by name.
  let curves: [(name: String, color: String)]

  static let light = Palette(
    ground: "#ffffff", ink: "#1f2328", quiet: "#59636e", rule: "#d1d9e0", baseline: "#848d97",
    curves: [
      ("strata", "#0969da"), ("p1", "#bc4c00"), ("p2", "#8250df"), ("p3", "#1a7f37"),
      ("p4", "#bf3989"), ("p5", "#0f766e"), ("p6", "#9a6700"), ("p7", "#cf222e"),
      ("best", "#59636e"),
    ])

  static let dark = Palette(
    ground: "#0d1117", ink: "#e6edf3", quiet: "#9198a1", rule: "#3d444d", baseline: "#656c76",
    curves: [
      ("strata", "#4493f8"), ("p1", "#f0883e"), ("p2", "#ab7df8"), ("p3", "#3fb950"),
      ("p4", "#f778ba"), ("p5", "#2dd4bf"), ("p6", "#d29922"), ("p7", "#ff7b72"),
      ("best", "#9198a1"),
    ])

  /// The style sheet of a drawing, with rules for light and dark mode.
  static let style = """
    text { font: 12px system-ui, -apple-system, "Segoe UI", "DejaVu Sans", sans-serif; }
    .title { font-size: 18px; font-weight: 600; }
    .heading { font-size: 13px; font-weight: 600; }
    .end { text-anchor: end; }
    .middle { text-anchor: middle; }
    .spread { stroke-width: 1.5; }
    .curve { fill: none; stroke-width: 1.75; stroke-linejoin: round; }
    .curve.strata { stroke-width: 3; }
    .curve.best { stroke-dasharray: 5 4; }
    .knee { fill: none; stroke-width: 2; }
    \(light.rules)
    @media (prefers-color-scheme: dark) {
    \(dark.rules)
    }
    """

  private var rules: String {
    let plain = [
      ".ground { fill: \(ground); }", "text { fill: \(ink); }", "text.quiet { fill: \(quiet); }",
      ".spread, .knee { stroke: \(ink); }", ".rule { stroke: \(rule); }",
      "rect.baseline { fill: \(baseline); }",
    ]
    let colored = curves.map { name, color in
      ".curve.\(name) { stroke: \(color); } circle.\(name), rect.\(name) { fill: \(color); }"
    }
    return (plain + colored).joined(separator: "\n")
  }
}
