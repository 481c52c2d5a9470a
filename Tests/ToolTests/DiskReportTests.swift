import Foundation
import Strata
import XCTest

@testable import strata_tool

/// Tests the command `disk`.
final class DiskReportTests: XCTestCase {
  private var folder: URL!

  override func setUp() async throws {
    folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let level = Cache<String, Stamped<Data>>.disk("pages", in: folder)
    let now = TimeSource.system.now()
    try await level.set(Stamped(Data(count: 7), storedAt: now), for: "a")
    try await level.set(
      Stamped(Data(count: 9), storedAt: now, lasting: .seconds(600)), for: "b\u{1B}[2J")
  }

  override func tearDown() async throws { try FileManager.default.removeItem(at: folder) }

  private func run(_ action: String...) async throws -> (status: ExitStatus, text: String) {
    let lines = Lock<[String]>([])
    let console = Console(
      print: { line in lines.withLock { $0.append(line) } }, complain: { _ in }, isColored: false)
    let path = folder.appendingPathComponent("pages").path
    let status = try await Command.disk.run([path] + action, console)
    return (status, lines.withLock { $0.joined(separator: "\n") })
  }

  func testTheListShowsSizesTimesAndKeysWithoutControlCharacters() async throws {
    let text = try await run("list").text
    XCTAssertTrue(text.contains("  7  0 s         -           a"), text)
    XCTAssertTrue(
      text.contains("9 min       b\\u{1B}[2J") || text.contains("10 min      b\\u{1B}[2J"), text)
    XCTAssertFalse(text.contains("\u{1B}"))
  }

  func testSizeAndCheckCountTheValues() async throws {
    let size = try await run().text
    XCTAssertTrue(size.contains("values   2, with 16 bytes"), size)
    let check = try await run("check")
    XCTAssertEqual(check.status, .success)
    XCTAssertTrue(check.text.hasPrefix("2 values are intact"), check.text)
  }

  func testAKeyIsRemovedOnce() async throws {
    let first = try await run("remove", "a")
    let second = try await run("remove", "a")
    XCTAssertEqual([first.status, second.status], [.success, .failure])
    let left = try await run().text
    XCTAssertTrue(left.contains("values   1"), left)
    let expired = try await run("expire").text
    XCTAssertTrue(expired.hasPrefix("0 expired values removed"), expired)
  }

  func testADirectoryWithoutALevelIsRefusedAndNotCreated() async throws {
    let path = folder.appendingPathComponent("none").path
    do {
      _ = try await Command.disk.run([path, "list"], .standard)
      XCTFail("accepted")
    } catch {
      XCTAssertTrue("\(error)".contains("isn't the directory of a disk level"), "\(error)")
    }
    XCTAssertFalse(FileManager.default.fileExists(atPath: path))
    for arguments in [[], [path, "sizes"], [path, "remove"], [path, "list", "more"]] {
      XCTAssertThrowsError(try DiskOptions(arguments))
    }
  }
}
