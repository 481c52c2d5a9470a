extension Command {
  /// Shows what a pipeline is made of.
  static let explain = Command(
    name: "explain",
    summary: "Show a pipeline as text, tree, Mermaid, SVG or JSON, and what to say of it",
    arguments: ["[NAME | - | --trace]", "[--form FORM,…]…", "[--svg FILE]"],
    options: [
      "NAME          \(ExplainSubject.names.joined(separator: ", ")) (\(ExplainSubject.names[0]))",
      "-             a plan in JSON from standard input",
      "--trace       gets of the tour's pipeline instead, over an origin of its own, with times (off)",
      "--form FORM,… of \(ExplainForm.names.joined(separator: ", ")); or all (all)",
      "--svg FILE    write the drawing to a file, and print nothing (no file)",
    ],
    notes: ["A program writes its plan with print(cache.plan.json)."],
    run: { arguments, console in
      try await ExplainOptions(arguments).run(on: console)
      return .success
    })
}
