/// A command of the tool: a row of the table that arguments are looked up in.
///
/// A new command is one constant in a file of its own, and its name in ``all``.
struct Command: Sendable {
  /// How it is called, and how the help lists it.
  let name: String
  /// One sentence without a full stop, at most 80 characters.
  let summary: String
  /// What it is called with, as its usage shows it.
  var arguments: [String] = []
  /// The arguments it takes, line by line: what each is, in which unit, and what holds without it.
  var options: [String] = []
  /// What else its own help says.
  var notes: [String] = []
  /// Does the work. Throws a ``UsageError`` for arguments it does not know.
  let run: @Sendable (_ arguments: [String], _ console: Console) async throws -> ExitStatus

  /// All commands, in the order in which the help lists them; the first is the default.
  static let all: [Command] = [tour, serve, explain, bench, hitratio]
}
