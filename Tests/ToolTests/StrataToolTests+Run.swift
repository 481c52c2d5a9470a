import Foundation
import XCTest

@testable import strata_tool

extension StrataToolTests {
  struct End {
    var status: Int32 = -1
    var output = ""
    var errors = ""
    /// The contents of the temporary directory when the text `mark` appears in the tool's output.
    /// The property `leftovers` has the directory's contents after the tool has exited.
    var seen: [String] = []
    var leftovers: [String] = []
  }

  /// Runs the tool until it exits.
  ///
  /// - Parameters:
  ///   - mark: The output that must appear before `act` is called. The closure `act` is called
  ///     once, with the tool's process ID.
  ///   - input: The standard input. By default, the tool inherits the standard input of the tests.
  ///   - closing: Whether to close the pipe for the tool's output after the call to `act`, so later
  ///     writes of the tool fail.
  ///   - redirected: A redirection in shell syntax, such as `<&-`.
  ///   - shell: Whether the arguments are those of a shell, as in `["-c", SCRIPT, ARGUMENT]`. In the
  ///     script, `$0` is the tool.
  func run(
    _ arguments: [String], environment: [String: String] = [:], input: String? = nil,
    redirected: String? = nil, shell: Bool = false, at mark: String? = nil, closing: Bool = false,
    _ act: (pid_t) -> Void = { _ in }
  ) throws -> End {
    let directory = try TemporaryDirectory()
    defer { directory.remove() }
    let (process, output, errors) = (Process(), Pipe(), Pipe())
    process.executableURL = Self.tool
    process.arguments = arguments
    if let redirected {
      process.executableURL = URL(fileURLWithPath: "/bin/sh")
      process.arguments =
        ["-c", "exec \"$0\" \"$@\" \(redirected)", Self.tool.path] + arguments
    }
    if shell {
      process.executableURL = URL(fileURLWithPath: "/bin/bash")
      process.arguments = Array(arguments.prefix(2)) + [Self.tool.path] + arguments.dropFirst(2)
    }
    process.environment = ProcessInfo.processInfo.environment
      .merging(["TMPDIR": directory.url.path]) { $1 }.merging(environment) { $1 }
    (process.standardOutput, process.standardError) = (output, errors)
    let pipe = input.map { _ in Pipe() }
    if let pipe { process.standardInput = pipe }
    try process.run()
    try pipe?.fileHandleForWriting.write(contentsOf: Data((input ?? "").utf8))
    try pipe?.fileHandleForWriting.close()

    var (end, bytes, isMarked) = (End(), Data(), mark == nil)
    while true {
      let more = output.fileHandleForReading.availableData
      bytes += more
      if more.isEmpty { break }
      guard !isMarked, let mark, bytes.range(of: Data(mark.utf8)) != nil else { continue }
      isMarked = true
      end.seen = try contents(of: directory)
      act(process.processIdentifier)
      if closing { try output.fileHandleForReading.close() }
      if closing { break }
    }
    end.errors = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    end.output = String(decoding: bytes, as: UTF8.self)
    end.status = process.terminationStatus
    end.leftovers = try contents(of: directory)
    return end
  }

  private func contents(of directory: TemporaryDirectory) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: directory.url.path)
  }

  /// The built tool, which is in the same directory as the tests.
  private static var tool: URL {
    #if canImport(Darwin)
      let tests = Bundle(for: StrataToolTests.self).bundleURL
    #else
      let tests = URL(fileURLWithPath: CommandLine.arguments[0]).standardizedFileURL
    #endif
    return tests.deletingLastPathComponent().appendingPathComponent("strata-tool")
  }
}
