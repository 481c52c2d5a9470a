import XCTest

@testable import strata_tool

final class InvocationTests: XCTestCase {
  func testNoArgumentsMeanTheTour() throws {
    XCTAssertEqual(try meaning([]), "run tour []")
    XCTAssertEqual(try meaning(["tour"]), "run tour []")
  }

  func testArgumentsOfACommandAreItsOwn() throws {
    XCTAssertEqual(try meaning(["tour", "a", "-b"]), #"run tour ["a", "-b"]"#)
    XCTAssertEqual(try meaning(["-b"]), #"run tour ["-b"]"#)
  }

  func testHelpWinsOverEverythingElse() throws {
    for arguments in [["--help"], ["-h"], ["help"], ["-x", "--help"]] {
      XCTAssertEqual(try meaning(arguments), "help", "\(arguments)")
    }
    for arguments in [["help", "tour"], ["tour", "--help"], ["tour", "-x", "-h"]] {
      XCTAssertEqual(try meaning(arguments), "help tour", "\(arguments)")
    }
  }

  func testTheVersionIsThatOfTheChangelog() throws {
    XCTAssertEqual(try meaning(["--version"]), "version")
    XCTAssertEqual(try meaning(["--version", "--help"]), "help")
    XCTAssertThrowsError(try meaning(["--version", "tour"]))
    let changelog = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("../../CHANGELOG.md")
    let text = try String(contentsOf: changelog, encoding: .utf8)
    let first = try XCTUnwrap(text.firstMatch(of: /\n## ([0-9.]+)/)?.1)
    XCTAssertEqual(Command.version, String(first))
  }

  func testAnUnknownCommandIsNamedWithThoseThatExist() {
    for arguments in [["tuor"], ["help", "tuor"], ["tuor", "--help"], [""]] {
      XCTAssertThrowsError(try meaning(arguments), "\(arguments)") { error in
        XCTAssertTrue("\(error)".contains("'\(arguments.first { $0 != "help" } ?? "")'"))
        XCTAssertTrue("\(error)".contains("tour"))
      }
    }
  }

  func testTheHelpNamesEveryCommandInLinesThatFit() {
    for command in Command.all {
      XCTAssertTrue(Command.overview.contains("\n  \(command.name) "), command.name)
      XCTAssertTrue(Command.overview.contains("  \(command.purpose)\n"), command.name)
      XCTAssertTrue(command.help.contains("\n\(command.purpose)\n"), command.name)
      XCTAssertTrue(command.help.contains("strata-tool \(command.name)"))
      for line in command.options {
        XCTAssertTrue(command.help.contains("\n  \(line)"), line)
      }
    }
    let lines = ([Command.overview] + Command.all.map(\.help)).flatMap { $0.split(separator: "\n") }
    XCTAssertEqual(lines.filter { $0.count > 100 }, [])
  }

  func testTheUsageShowsEveryArgumentOnce() {
    XCTAssertTrue(
      Command.bench.help.hasPrefix(
        "Usage: strata-tool bench [--group NAME,…]… [--contest TEXT]… [--rounds N] [--json FILE]"))
    XCTAssertTrue(Command.serve.help.hasPrefix("Usage: strata-tool serve [FOLDER]\n"))
    XCTAssertTrue(
      Command.tour.help.hasPrefix("Usage: strata-tool tour [--html FILE | --redis URL]\n"))
    for command in Command.all {
      let usage = command.arguments.joined(separator: " ")
      for line in command.options where !line.hasPrefix(" ") && !line.hasPrefix("- ") {
        let name = line.prefix { $0 != " " }
        XCTAssertEqual(usage.ranges(of: name).count, 1, "\(command.name): \(name)")
      }
    }
  }

  private func meaning(_ arguments: [String]) throws -> String {
    switch try Invocation(arguments) {
    case .version: "version"
    case .help(let command): ["help", command?.name].compactMap { $0 }.joined(separator: " ")
    case .run(let command, let arguments): "run \(command.name) \(arguments)"
    }
  }
}
