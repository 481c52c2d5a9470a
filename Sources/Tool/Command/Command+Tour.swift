extension Command {
  /// The command that demonstrates the library.
  static let tour = Command(
    name: "tour",
    summary: "Demonstrate memory, disk, and network in one expression, and check each step",
    arguments: ["[--redis URL]"],
    options: [
      "--redis URL  show the laws for several machines, with two pipelines over a server (none)"
    ],
    notes: [
      "Without an argument, starts an origin on 127.0.0.1, caches its pages in a temporary",
      "directory, checks every step, and cleans up, even if it is interrupted.",
    ],
    run: { arguments, console in
      var (reader, address) = (ArgumentReader(arguments), String?.none)
      while let argument = try reader.next() {
        guard argument == "--redis" else { throw UsageError.argument(argument, of: "tour") }
        address = try reader.value(after: argument)
      }
      if let address { return try await RedisTour(address).run(on: console) }
      return try await Tour.run(on: console)
    })
}
