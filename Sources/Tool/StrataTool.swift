import Foundation
import Strata

/// The command-line tool, which runs a command and exits with its status.
@main
enum StrataTool {
  // This function isn't async. With an async `main`, Dispatch would control the main thread and
  // accept the signals that `Interruption` waits for.
  static func main() {
    StandardStreams.fill()
    do {
      try SystemLimits.check()
      try Interruption.watch()
    } catch {
      Console.standard.complain("strata-tool: \(error)")
      exit(ExitStatus.failure.rawValue)
    }
    Task.detached {  // A plain `Task` would inherit the main actor, which the loop below serves.
      let end = await run(RawText.arguments, on: .standard)
      exit(end.rawValue)
    }
    while true { _ = RunLoop.main.run(mode: .default, before: .distantFuture) }
  }

  /// Runs the requested command, and converts every error into a message and a status.
  static func run(_ arguments: [String], on console: Console) async -> ExitStatus {
    do {
      switch try Invocation(arguments) {
      case .help(let command):
        try console.print(command?.help ?? Command.overview)
        return .success
      case .version:
        try console.print("strata-tool \(Command.version)")
        return .success
      case .run(let command, let arguments):
        return try await command.run(arguments, console)
      }
    } catch let error as UsageError {
      let command = Command.all.first { $0.name == arguments.first }?.name
      let help = ["strata-tool", command, "--help"].compactMap { $0 }.joined(separator: " ")
      console.complain("strata-tool: \(error) Try: \(help)".printable)
      return .usage
    } catch {
      console.complain("strata-tool: \(error)".printable)
      return .failure
    }
  }
}

/// The exit status.
enum ExitStatus: Int32 {
  case success = 0
  /// The command failed or found a fault.
  case failure = 1
  /// The arguments were invalid.
  case usage = 2
}
