extension Command {
  /// Keeps the origin of the tour running, for programs and scripts to be tried on.
  static let serve = Command(
    name: "serve",
    summary: "Serve the project's own files on 127.0.0.1, slowed, to try programs on",
    details: [
      "Takes no arguments. Prints the address, whose port the system chooses, and runs until it",
      "is interrupted. Every request waits for 30 ms.",
    ],
    run: { arguments, console in
      if let argument = arguments.first { throw UsageError.argument(argument, of: "serve") }
      let pages = Pages.ofProject()
      let origin = try Origin(serving: pages)
      defer { origin.stop() }
      try console.print("\(pages.contents.count) pages at \(origin.url("/"))")
      try console.print("for example \(origin.url("/README.md"))")
      while true { try await Task.sleep(for: .seconds(3600)) }
    })
}
