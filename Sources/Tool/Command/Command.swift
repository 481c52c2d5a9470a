/// A command of the tool: a row of the table that arguments are looked up in.
///
/// A new command is one constant in a file of its own, and its name in ``all``.
struct Command: Sendable {
  /// How it is called, and how the help lists it.
  let name: String
  /// One sentence without a full stop, at most 80 characters.
  let summary: String
  /// What its own help says after the summary: the arguments it takes, line by line.
  var details: [String] = []
  /// Does the work. Throws a ``UsageError`` for arguments it does not know.
  let run: @Sendable (_ arguments: [String], _ console: Console) async throws -> ExitStatus

  /// All commands, in the order in which the help lists them; the first is the default.
  static let all: [Command] = [tour]
}

extension Command {
  static let tour = Command(
    name: "tour",
    summary: "Take memory, disk and network in one expression through what the laws promise",
    details: [
      "Takes no arguments. Starts an origin of its own on 127.0.0.1, caches its pages in a",
      "temporary directory, checks every step, and cleans up, also when it is interrupted.",
    ],
    run: { arguments, console in
      if let argument = arguments.first { throw UsageError.argument(argument, of: "tour") }
      return try await Tour.run(on: console)
    })
}
