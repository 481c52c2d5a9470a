import Foundation

/// The command line tool: finds the command that is meant, runs it, and exits with its status.
@main
enum StrataTool {
  // Not an async function: that would leave the main thread to Dispatch, which lets in the signals
  // that the interruption has to have for itself.
  static func main() {
    StandardStreams.fill()
    Interruption.watch()
    Task.detached {  // A plain task would be the main actor's, which is served below alone.
      let end = await run(Array(CommandLine.arguments.dropFirst()), on: .standard)
      exit(end.rawValue)
    }
    while true { _ = RunLoop.main.run(mode: .default, before: .distantFuture) }
  }

  /// Runs what the arguments ask for; every error ends here, as a message and a status.
  static func run(_ arguments: [String], on console: Console) async -> ExitStatus {
    do {
      switch try Invocation(arguments) {
      case .help(let command):
        try console.print(command?.help ?? Command.overview)
        return .success
      case .run(let command, let arguments):
        return try await command.run(arguments, console)
      }
    } catch let error as UsageError {
      let command = Command.all.first { $0.name == arguments.first }?.name
      let help = ["strata-tool", command, "--help"].compactMap { $0 }.joined(separator: " ")
      console.complain("strata-tool: \(error) Try: \(help)")
      return .usage
    } catch {
      console.complain("strata-tool: \(error)")
      return .failure
    }
  }
}

/// What the shell is told.
enum ExitStatus: Int32 {
  case success = 0
  /// The work was done and something about it is wrong, or it could not be done.
  case failure = 1
  /// The arguments say nothing that the tool knows.
  case usage = 2
}
