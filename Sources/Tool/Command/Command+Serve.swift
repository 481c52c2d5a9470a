extension Command {
  /// Keeps the origin of the tour running, for programs and scripts to be tried on.
  static let serve = Command(
    name: "serve",
    summary: "Serve the text files of a folder on 127.0.0.1, slowed, to try programs on",
    arguments: ["[FOLDER]"],
    options: [
      "FOLDER  what to serve, as it is at the start: files of UTF-8 text up to 1 MiB, 9,999 at most,",
      "        without hidden ones and links (the project's own files)",
    ],
    notes: [
      "Prints the address, whose port the system chooses, and runs until it is interrupted. Every",
      "request waits for 30 ms.",
    ],
    run: { arguments, console in
      if let argument = arguments.first(where: { $0.hasPrefix("-") }) ?? arguments.dropFirst().first
      {
        throw UsageError.argument(argument, of: "serve")
      }
      if arguments.first == "" {
        throw UsageError.value("", of: "serve", expected: "a folder, or nothing for its own files")
      }
      let pages = try arguments.first.map(Pages.ofFolder) ?? Pages.ofProject()
      let origin = try Origin(serving: pages)
      defer { origin.stop() }
      let example = pages["/README.md"] == nil ? pages.contents.keys.min() : "/README.md"
      try console.print("\(pages.contents.count) pages at \(origin.url("/"))")
      try console.print("for example \(origin.url(example ?? "/"))")
      while true { try await Task.sleep(for: .seconds(3600)) }
    })
}
