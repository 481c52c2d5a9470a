import Foundation
import XCTest

@testable import strata_tool

final class TemporaryDirectoryTests: XCTestCase {
  func testADirectoryIsPrivateAndRemovedAtTheEnd() throws {
    let (one, other) = (try TemporaryDirectory(), try TemporaryDirectory())
    XCTAssertNotEqual(one.url, other.url)
    let manager = FileManager.default
    let mode = try manager.attributesOfItem(atPath: one.url.path)[.posixPermissions] as? Int
    XCTAssertEqual(mode, 0o700)
    let inner = one.url.appendingPathComponent("a/b")
    try manager.createDirectory(at: inner, withIntermediateDirectories: true)
    one.remove()
    one.remove()
    XCTAssertFalse(manager.fileExists(atPath: one.url.path))
    XCTAssertTrue(manager.fileExists(atPath: other.url.path))
    other.remove()
  }

  func testAllAreRemovedBeforeTheEnd() throws {
    let directories = try (0..<3).map { _ in try TemporaryDirectory() }
    var left: [Bool] = []
    TemporaryDirectory.removeAll {
      left = directories.map { FileManager.default.fileExists(atPath: $0.url.path) }
    }
    XCTAssertEqual(left, [false, false, false])
  }
}
