extension Command {
  /// The command that runs the tour's HTTP origin, so that other programs and scripts can use it.
  static let serve = Command(
    name: "serve",
    summary: "Serve the text files of a directory on 127.0.0.1, with a delay, for experiments",
    purpose: "How do I try a cache against a slow server? Start one on this machine.",
    arguments: ["[FOLDER]"],
    options: [
      "FOLDER  the directory, which is read at the start. It may contain at most 9,999 text files.",
      "        Serves UTF-8 files up to 1 MiB, except hidden files and links (the project's files)",
    ],
    notes: [
      "Prints the address, whose port the system chooses, and runs until interrupted. Each",
      "response is delayed by 30 ms.",
    ],
    run: { arguments, console in
      if let argument = arguments.first(where: { $0.hasPrefix("-") }) ?? arguments.dropFirst().first
      {
        throw UsageError.argument(argument, of: "serve")
      }
      if let folder = arguments.first, !folder.isUTF8 {
        throw UsageError.value(
          folder.printable, of: "serve", expected: "a directory with a UTF-8 name")
      }
      if arguments.first == "" {
        throw UsageError.value(
          "", of: "serve", expected: "a directory, or no argument for the project's files")
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
