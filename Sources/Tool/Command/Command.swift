/// A command of the tool.
///
/// To add a command, declare a constant in a separate file and add it to ``all``.
struct Command: Sendable {
  /// The name of the command.
  let name: String
  /// A summary of at most 80 characters, without a period at the end.
  let summary: String
  /// A question that the command answers, and how, in at most 88 characters.
  let purpose: String
  /// The arguments as they appear in the usage line.
  var arguments: [String] = []
  /// The descriptions of the arguments, one per line, with their units and defaults.
  var options: [String] = []
  /// Additional lines for the command's help text.
  var notes: [String] = []
  /// Runs the command. Throws ``UsageError`` for unknown arguments.
  let run: @Sendable (_ arguments: [String], _ console: Console) async throws -> ExitStatus

  /// The version of the tool and of the library, as in CHANGELOG.md.
  static let version = "0.1.0"

  /// All commands, in the order in which the help text lists them. When no command is named, the
  /// first one runs.
  static let all: [Command] = [
    tour, serve, proxy, explain, disk, bench, hitratio, simulate, report,
  ]
}
