extension Command {
  /// The command that demonstrates the library.
  static let tour = Command(
    name: "tour",
    summary: "Demonstrate memory, disk, and network in one expression, and check each step",
    purpose: "What does Strata do? See memory, disk, and network at work in one pipeline.",
    arguments: ["[--html FILE | --redis URL]"],
    options: [
      "--html FILE  also write a page with the pipeline and the figures of all steps (no file)",
      "--redis URL  show the laws for several machines, with two pipelines over this server (none)",
    ],
    notes: [
      "Without --redis, the tour starts an origin on 127.0.0.1, caches its pages in a temporary",
      "directory, checks every step, and cleans up, even if it's interrupted.",
    ],
    run: { arguments, console in
      var reader = ArgumentReader(arguments)
      var (address, html) = (String?.none, OutputFile?.none)
      while let argument = try reader.next() {
        switch argument {
        case "--redis" where html == nil: address = try reader.value(after: argument)
        case "--html" where address == nil: html = try reader.file(after: argument)
        default: throw UsageError.argument(argument, of: "tour")
        }
      }
      if let address { return try await RedisTour(address).run(on: console) }
      return try await Tour.run(on: console, html: html)
    })
}
