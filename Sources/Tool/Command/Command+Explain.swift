extension Command {
  /// Shows what a pipeline is made of.
  static let explain = Command(
    name: "explain",
    summary: "Show a pipeline as text, tree, Mermaid, SVG or JSON, and what to say of it",
    details: [
      "  NAME…            of \(ExplainOptions.names.joined(separator: ", ")); a file with a plan in",
      "                   JSON, or - for standard input (\(ExplainOptions.names[0]))",
      "  --form NAME      \(Explain.Form.allCases.map(\.rawValue).joined(separator: ", ")), or all (all)",
      "  --output FILE    write to a file instead of standard output",
      "",
      "A program prints a plan in JSON with print(cache.plan.json). The form trace takes one get of",
      "a tour's pipeline, cold, over an origin of its own.",
    ],
    run: { arguments, console in
      try await Explain(options: ExplainOptions(arguments), console: console).run()
    })
}
