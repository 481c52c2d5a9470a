import StrataVerbs

/// The colors of a drawing on a light or dark background.
///
/// The style sheet repeats each color in its rules, because some viewers don't support CSS
/// variables.
struct DrawingColors {
  let ground: String
  let ink: String
  let quiet: String
  let box: String
  let edge: String
  let pool: String
  let poolGround: String
  /// The colors of levels and of trace steps, each with the name of its CSS class.
  let kinds: [(name: String, color: String)]

  static let light = DrawingColors(
    ground: "#ffffff", ink: "#1f2328", quiet: "#59636e", box: "#f6f8fa", edge: "#848d97",
    pool: "#8250df", poolGround: "#fbf7ff",
    kinds: [
      ("memory", "#0969da"), ("disk", "#1a7f37"), ("network", "#bc4c00"), ("other", "#6e7781"),
      ("hit", "#1a7f37"), ("missed", "#848d97"), ("failed", "#cf222e"), ("filled", "#0969da"),
      ("waited", "#8250df"), ("track", "#f6f8fa"),
    ])

  static let dark = DrawingColors(
    ground: "#0d1117", ink: "#e6edf3", quiet: "#9198a1", box: "#161b22", edge: "#767e88",
    pool: "#ab7df8", poolGround: "#17142a",
    kinds: [
      ("memory", "#4493f8"), ("disk", "#3fb950"), ("network", "#f0883e"), ("other", "#8b949e"),
      ("hit", "#3fb950"), ("missed", "#767e88"), ("failed", "#f85149"), ("filled", "#4493f8"),
      ("waited", "#ab7df8"), ("track", "#161b22"),
    ])

  /// The style sheet of a drawing, with rules for light and dark mode.
  static let style = """
    text { font: 12px ui-monospace, Menlo, "DejaVu Sans Mono", Consolas, monospace; }
    text.title { font: 600 14px system-ui, -apple-system, "Segoe UI", "DejaVu Sans", sans-serif; }
    text.word { font: italic 12px system-ui, -apple-system, "Segoe UI", "DejaVu Sans", sans-serif; }
    text.end { text-anchor: end; }
    .arrow { stroke-width: 1.5; }
    .fill { stroke-dasharray: 4 3; }
    .box, .pool, .frame { stroke-width: 1.2; }
    .frame { fill: none; stroke-dasharray: 1.5 3; }
    \(light.rules)
    @media (prefers-color-scheme: dark) {
    \(dark.rules)
    }
    """

  /// Returns the name of the CSS class for levels with the given role.
  static func style(of role: CachePlan.Role?) -> String {
    switch role {
    case .memory: "memory"
    case .storage: "disk"
    case .origin: "network"
    default: "other"
    }
  }

  private var rules: String {
    let plain = [
      ".ground { fill: \(ground); }", "text { fill: \(ink); }",
      "text.quiet, text.word { fill: \(quiet); }", "text.pooled { fill: \(pool); }",
      ".box { fill: \(box); stroke: \(edge); }", ".frame { stroke: \(quiet); }",
      ".pool { fill: \(poolGround); stroke: \(pool); }",
      ".arrow { stroke: \(edge); }", ".head { fill: \(edge); }",
    ]
    return (plain + kinds.map { ".\($0.name) { fill: \($0.color); }" }).joined(separator: "\n")
  }
}
