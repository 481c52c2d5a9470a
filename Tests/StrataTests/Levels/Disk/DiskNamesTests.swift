import StrataLaws
import XCTest

@testable import Strata

final class DiskNamesTests: XCTestCase {
  static let hostile = [
    "", ".", "..", "../../etc/passwd", "/etc/passwd", "a\u{0}b", "\n", "%2e%2e", "~root", "/", "//",
    "CON", "AUX", "Foo", "foo", "a/b", "é", "🙂🏽", "\u{fffd}", "-rf", ".hidden", "trailing.",
    String(repeating: "x", count: 300),
  ]

  func testALevelsFolderIsOnePlainComponent() {
    for name in Self.hostile {
      let folder = DiskNames.folder(for: name)
      XCTAssertFalse(folder.contains("/") || folder.utf8.contains(0), folder)
      XCTAssertFalse(folder.isEmpty || folder.hasPrefix(".") || folder.utf8.count > 200, folder)
    }
    let folders = Self.hostile.map { DiskNames.folder(for: $0).lowercased() }
    XCTAssertEqual(Set(folders).count, folders.count)
  }

  func testAPlainLevelNameStandsForItself() {
    for name in ["default", "articles", "v1.2_images-3"] {
      XCTAssertEqual(DiskNames.folder(for: name), name)
    }
    XCTAssertEqual(DiskNames.folder(for: "caf\u{e9}"), DiskNames.folder(for: "cafe\u{301}"))
  }
}
