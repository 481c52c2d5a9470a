extension Command {
  /// Shows what a pipeline is made of.
  static let explain = Command(
    name: "explain",
    summary: "Show a pipeline as text, tree, Mermaid, SVG or JSON, and what to say of it",
    details: [
      "  NAME          \(ExplainSubject.names.joined(separator: ", ")), or - for a plan in JSON",
      "                from standard input (\(ExplainSubject.names[0]))",
      "  --form NAME   of \(ExplainForm.names.joined(separator: ", ")),",
      "                or all; repeatable, or a list with commas (all)",
      "  --svg FILE    write the drawing, and nothing else",
      "  --trace       trace gets of the tour's pipeline instead, over an origin of its own",
      "",
      "A program writes its plan with print(cache.plan.json).",
    ],
    run: { arguments, console in
      try await ExplainOptions(arguments).run(on: console)
      return .success
    })
}
