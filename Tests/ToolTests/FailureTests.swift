import Foundation
import Strata
import XCTest

@testable import strata_tool

/// Tests that every failure is reported in one line, and doesn't prevent later output.
final class FailureTests: XCTestCase {
  private struct End {
    let status: ExitStatus
    let output: [String]
    let errors: [String]
  }

  /// - Parameter limit: The number of texts that the simulated reader reads before it closes the
  ///   output. After that, every `print` call throws an error.
  private func run(_ arguments: [String], readsUpTo limit: Int = .max) async -> End {
    let (output, errors) = (Lock<[String]>([]), Lock<[String]>([]))
    let console = Console(
      print: { text in
        try output.withLock { output in
          guard output.count < limit else { throw Unread() }
          output.append(text)
        }
      },
      complain: { text in errors.withLock { $0.append(text) } }, isColored: false)
    let status = await StrataTool.run(arguments, on: console)
    return End(status: status, output: output.withLock { $0 }, errors: errors.withLock { $0 })
  }

  func testInvalidArgumentsGiveOneLineWithTheHelpCommand() async {
    for command in Command.all {
      let end = await run([command.name, "--nope"])
      XCTAssertEqual(end.status, .usage)
      XCTAssertEqual(end.output, [])
      XCTAssertEqual(
        end.errors,
        [
          "strata-tool: \(command.name) has no argument '--nope'. "
            + "Try: strata-tool \(command.name) --help"
        ])
    }
    for arguments in [
      ["serve", ""], ["bench", "--rounds=0"], ["bench", "--quick=yes"], ["nope"],
      ["bench", "--json", "--quick"], ["hitratio", "@zipf", "--svg", "-"],
    ] {
      let end = await run(arguments)
      XCTAssertEqual(end.status, .usage, "\(arguments)")
      XCTAssertEqual(end.errors.count, 1)
      XCTAssertEqual(end.errors.filter { $0.contains("\n") }, [])
    }
  }

  func testAFileThatCannotBeWrittenIsNamedBeforeTheWorkBegins() async throws {
    let directory = try TemporaryDirectory()
    defer { directory.remove() }
    for (path, reason) in [
      ("/no/such/folder/a", "No such file or directory"), (directory.url.path, "it is a directory"),
      ("/dev/null/a", "Not a directory"),
    ] {
      for arguments in [
        ["bench", "--quick", "--json", path], ["bench", "--quick", "--svg", path],
        ["hitratio", "@zipf", "--svg", path], ["explain", "--svg", path],
        ["explain", "--trace", "--svg", path],
      ] {
        let end = await run(arguments)
        XCTAssertEqual(end.status, .failure, "\(arguments)")
        XCTAssertEqual(end.errors, ["strata-tool: \(path) cannot be written: \(reason)"])
        XCTAssertEqual(end.output, [])
      }
    }
  }

  func testOneFailedFileDoesNotPreventTheNext() throws {
    let directory = try TemporaryDirectory()
    defer { directory.remove() }
    let good = OutputFile(directory.url.path + "/good")
    let (bad, worse) = (OutputFile(directory.url.path), OutputFile(directory.url.path + "/no/file"))
    var complaints: [String] = []
    XCTAssertThrowsError(
      try writeAll([(bad, { "" }), (nil, { "" }), (worse, { "" }), (good, { "all" })]) {
        complaints.append($0)
      }
    ) { XCTAssertTrue("\($0)".hasPrefix("\(worse.path) cannot be written"), "\($0)") }
    XCTAssertEqual(complaints.count, 1)
    XCTAssertTrue(complaints[0].contains("\(bad.path) cannot be written"), complaints[0])
    XCTAssertEqual(try String(contentsOfFile: good.path, encoding: .utf8), "all")
  }

  func testAClosedOutputLosesNoFile() async throws {
    let directory = try TemporaryDirectory()
    defer { directory.remove() }
    let bench = ["bench", "--quick", "--rounds", "1", "--group", "set"]
    let replay = ["hitratio", "@zipf", "--capacity", "5%", "--policy", "LRU", "--csv"]
    for (arguments, option) in [(bench, "--json"), (replay, "--svg")] {
      let file = directory.url.path + "/" + arguments[0]
      let end = await run(arguments + [option, file], readsUpTo: 1)
      XCTAssertEqual(end.status, .failure)
      XCTAssertEqual(end.errors.last, "strata-tool: standard output is closed or full.")
      XCTAssertTrue(FileManager.default.fileExists(atPath: file), file)
      let early = await run(arguments, readsUpTo: 0)
      XCTAssertEqual(early.status, .failure)
      XCTAssertEqual(early.errors.filter { $0.hasPrefix("[") && arguments == bench }, [])
    }
  }
}

extension StrataToolTests {
  func testClosedStandardStreamsAreNamed() throws {
    for (arguments, redirected, word) in [
      (["hitratio", "-"], "<&-", "standard input cannot be read: Bad file descriptor"),
      (["hitratio", "-"], "</", "standard input cannot be read: Is a directory"),
      (["explain", "-"], "</", "standard input cannot be read: Is a directory"),
      (["explain"], ">&-", "standard output is closed or full."),
      (["serve"], ">&-", "standard output is closed or full."),
    ] {
      let end = try run(arguments, redirected: redirected)
      XCTAssertEqual(end.status, 1, end.errors)
      XCTAssertEqual(end.errors, "strata-tool: \(word)\n")
    }
    let deaf = try run(["tuor"], redirected: "2>&-")
    XCTAssertEqual(deaf.status, 2)
  }

  func testATraceIsReadFromAPipeThatHasAName() throws {
    let end = try run(
      ["hitratio", "/dev/stdin", "--csv", "--capacity", "2", "--policy", "LRU"], input: "a\na\n")
    XCTAssertEqual(end.status, 0, end.errors)
    XCTAssertEqual(end.output, "trace,capacity,policy,hit_ratio\nstdin,2,LRU,0.5000\n")
  }

  #if os(Linux)
    func testAFileSystemThatIsFullIsNamed() throws {
      let end = try run(["explain", "--svg", "/dev/full"])
      XCTAssertEqual(end.status, 1)
      XCTAssertEqual(
        end.errors, "strata-tool: /dev/full cannot be written: No space left on device\n")
    }
  #endif
}
