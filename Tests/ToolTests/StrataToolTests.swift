import Foundation
import XCTest

@testable import strata_tool

/// Runs the tool as a shell does, over a temporary directory of its own.
final class StrataToolTests: XCTestCase {
  func testHelpExitsWithSuccessAndNamesEveryCommand() throws {
    for argument in ["--help", "-h", "help"] {
      let end = try run([argument])
      XCTAssertEqual(end.status, 0)
      XCTAssertEqual(end.errors, "")
      for command in Command.all { XCTAssertTrue(end.output.contains(command.name), end.output) }
    }
  }

  func testWhatIsUnknownExitsWithUsage() throws {
    for arguments in [["tuor"], ["--fast"], ["tour", "--fast"], ["tour", "tour"]] {
      let end = try run(arguments)
      XCTAssertEqual(end.status, 2, "\(arguments)")
      XCTAssertEqual(end.output, "")
      XCTAssertTrue(end.errors.contains("'\(arguments[arguments.count - 1])'"), end.errors)
      XCTAssertTrue(end.errors.contains("--help"), end.errors)
    }
  }

  func testTheTourGoesRightAndLeavesNothing() throws {
    let end = try run([])
    XCTAssertEqual(end.status, 0, end.output + end.errors)
    XCTAssertEqual(end.errors, "")
    for step in Tour.steps { XCTAssertTrue(end.output.contains(step.title), step.title) }
    XCTAssertFalse(end.output.contains("\u{1B}"), "colours in a pipe")
    XCTAssertEqual(end.output.split(separator: "\n").filter { $0.count > 100 }, [])
    XCTAssertEqual(end.leftovers, [])
  }

  func testAnInterruptedTourLeavesNothing() throws {
    for (signal, status) in [(SIGINT, 130), (SIGTERM, 143), (SIGHUP, 129)] {
      let end = try run([], at: "cold get", { XCTAssertEqual(kill($0, signal), 0) })
      XCTAssertEqual(end.status, Int32(status))
      XCTAssertEqual(end.seen.count, 1, "the directory was not there to be removed")
      XCTAssertEqual(end.leftovers, [])
    }
  }

  func testATourThatNobodyReadsLeavesNothing() throws {
    let end = try run([], at: "cold get", closing: true)
    XCTAssertEqual(end.status, 1)
    XCTAssertEqual(end.seen.count, 1)
    XCTAssertTrue(end.errors.contains("standard output"), end.errors)
    XCTAssertEqual(end.leftovers, [])
  }

  func testServingSaysWhereAndLastsUntilInterrupted() throws {
    let end = try run(["serve"], at: "README.md\n") { XCTAssertEqual(kill($0, SIGTERM), 0) }
    XCTAssertEqual(end.status, 143)
    XCTAssertNotNil(end.output.firstMatch(of: /^\d+ pages at http:\/\/127\.0\.0\.1:\d+\/\n/))
  }

  func testServingAFolderThatIsNotThereSaysSo() throws {
    let end = try run(["serve", "/no/such/folder"])
    XCTAssertEqual(end.status, 1)
    XCTAssertTrue(end.errors.contains("there is no folder /no/such/folder"), end.errors)
  }

  func testAProxyIsNotAsked() throws {
    let proxies = ["http_proxy", "all_proxy"].map { ($0, "http://127.0.0.1:1") }
    let end = try run([], environment: Dictionary(uniqueKeysWithValues: proxies))
    XCTAssertEqual(end.status, 0, end.output)
  }

  func testWithoutATemporaryDirectoryTheErrorSaysSo() throws {
    let end = try run([], environment: ["TMPDIR": "/dev/null"])
    XCTAssertEqual(end.status, 1)
    XCTAssertTrue(
      end.errors.contains("no temporary directory can be made in /dev/null"), end.errors)
  }
}
