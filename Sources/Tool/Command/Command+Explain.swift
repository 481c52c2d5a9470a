extension Command {
  /// The command that shows a pipeline in several output formats.
  static let explain = Command(
    name: "explain",
    summary: "Show a pipeline as text, a tree, Mermaid, SVG, or JSON, with advice about it",
    purpose: "What is in this pipeline, and could it be better? See a drawing, and get advice.",
    arguments: ["[NAME | - | --trace]", "[--form FORM,…]…", "[--svg FILE]"],
    options: [
      "NAME          \(ExplainSubject.names.joined(separator: ", ")) (\(ExplainSubject.names[0]))",
      "-             a plan in JSON from standard input",
      "--trace       instead, show traces of gets of the tour's pipeline, with a local origin (off)",
      "--form FORM,… \(ExplainForm.names.joined(separator: ", ")), or all (all)",
      "--svg FILE    write the drawing to a file, and print nothing (no file)",
    ],
    notes: ["A program writes its plan with print(cache.plan.json)."],
    run: { arguments, console in
      try await ExplainOptions(arguments).run(on: console)
      return .success
    })
}
