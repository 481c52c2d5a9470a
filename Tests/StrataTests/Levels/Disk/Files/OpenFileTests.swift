import Foundation
import XCTest

@testable import Strata

final class OpenFileTests: XCTestCase {
  /// Returns the number of files that disk levels have open. The levels are over budget if they
  /// have more files open than half of the descriptor limit. Only an open file has the property
  /// `isOverBudget`, so this function opens one more file. The function raises a simulated
  /// descriptor limit until the disk levels are no longer over budget.
  private func openFiles() throws -> Int {
    let limit = Lock(0)
    var files = FileSystem.system
    files.limits = { (fileLength: .max, descriptors: limit.withLock { $0 }) }
    let file = try OpenFile("/dev/null", .read, files)
    while file.isOverBudget { limit.withLock { $0 += 2 } }
    return limit.withLock { $0 / 2 } - 1
  }

  func testAClosedFileLeavesTheBudget() throws {
    let before = try openFiles()
    let files = try (0..<10).map { _ in try OpenFile("/dev/null", .read, .system) }
    try withExtendedLifetime(files) { XCTAssertEqual(try openFiles(), before + 10) }
    for _ in 0..<10 { _ = try OpenFile("/dev/null", .read, .system) }
  }

  func testClosedFilesAreNotCounted() throws {
    let before = try openFiles()
    for _ in 0..<10 { _ = try OpenFile("/dev/null", .read, .system) }
    XCTAssertEqual(try openFiles(), before)
  }
}
