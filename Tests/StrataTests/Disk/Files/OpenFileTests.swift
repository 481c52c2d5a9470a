import Foundation
import XCTest

@testable import StrataCore
@testable import StrataDisk
@testable import StrataVerbs

final class OpenFileTests: XCTestCase {
  /// Returns the number of files that disk levels have open. A file's property `isOverBudget` is
  /// `false` if this number is at most half of the descriptor limit. The function opens a file, and
  /// raises a simulated limit until `isOverBudget` is `false`. The result doesn't include the
  /// function's own file.
  private func openFiles() throws -> Int {
    let limit = Lock(0)
    var files = FileSystem.system
    files.limits = { (fileLength: .max, descriptors: limit.withLock { $0 }) }
    let file = try OpenFile("/dev/null", .read, files)
    while file.isOverBudget { limit.withLock { $0 += 2 } }
    return limit.withLock { $0 / 2 } - 1
  }

  /// Levels of earlier tests may close their files in the background and change a count. The test
  /// counts up to 50 times, and requires one correct count after opening ten files and one after
  /// closing them.
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
