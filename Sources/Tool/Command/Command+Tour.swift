extension Command {
  /// Shows the main job.
  static let tour = Command(
    name: "tour",
    summary: "Take memory, disk and network in one expression through what the laws promise",
    notes: [
      "Takes no arguments. Starts an origin of its own on 127.0.0.1, caches its pages in a",
      "temporary directory, checks every step, and cleans up, also when it is interrupted.",
    ],
    run: { arguments, console in
      if let argument = arguments.first { throw UsageError.argument(argument, of: "tour") }
      return try await Tour.run(on: console)
    })
}
