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

  /// Levels of earlier tests may close their files in the background during a count. Therefore, the
  /// test repeats the counts, and an open or a closed file has to be counted correctly only once.
  func testOnlyOpenFilesAreCounted() throws {
    var (opened, left) = (Int.min, Int.max)
    for _ in 0..<50 where opened < 10 || left > 0 {
      let before = try openFiles()
      do {
        let files = try (0..<10).map { _ in try OpenFile("/dev/null", .read, .system) }
        try withExtendedLifetime(files) { opened = try max(opened, openFiles() - before) }
      }
      left = try min(left, openFiles() - before)
    }
    XCTAssertGreaterThanOrEqual(opened, 10)
    XCTAssertLessThanOrEqual(left, 0)
  }
}
