/// A command of the tool.
///
/// A new command is a constant in a separate file, and an entry in ``all``.
struct Command: Sendable {
  /// The name of the command.
  let name: String
  /// A sentence of at most 80 characters, without a period.
  let summary: String
  /// The arguments as the usage line shows them.
  var arguments: [String] = []
  /// The description of each argument with its unit and its default, one per line.
  var options: [String] = []
  /// Further text for the help of the command.
  var notes: [String] = []
  /// Runs the command. Throws ``UsageError`` for unknown arguments.
  let run: @Sendable (_ arguments: [String], _ console: Console) async throws -> ExitStatus

  /// All commands in the order of the help. The first is the default.
  static let all: [Command] = [tour, serve, proxy, explain, bench, hitratio, report]
}
