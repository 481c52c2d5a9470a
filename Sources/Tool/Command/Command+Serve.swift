import Foundation

extension Command {
  /// Runs the origin of the tour alone.
  static let serve = Command(
    name: "serve",
    summary: "Serve this project's files on 127.0.0.1, for programs that want an origin to try",
    details: [
      "Takes no arguments. Prints its address and serves at a free port until it is interrupted;",
      "every request waits for 30 ms.",
    ],
    run: { arguments, console in
      if let argument = arguments.first { throw UsageError.argument(argument, of: "serve") }
      let origin = try Origin(serving: Pages.ofProject())
      try console.print("\(origin.url("/"))")
      while true { try await Task.sleep(for: .seconds(86_400)) }
    })
}
