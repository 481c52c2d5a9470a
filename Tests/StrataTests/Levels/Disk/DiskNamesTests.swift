import StrataLaws
import XCTest

@testable import Strata

final class DiskNamesTests: XCTestCase {
  static let hostile = [
    "", ".", "..", "../../etc/passwd", "/etc/passwd", "a\u{0}b", "\n", "%2e%2e", "~root", "/", "//",
    "CON", "AUX", "Foo", "foo", "a/b", "é", "🙂🏽", "\u{fffd}", "-rf", ".hidden", "trailing.",
    String(repeating: "x", count: 300),
  ]

  func testEveryKeyHasAFixedHarmlessName() {
    for key in Self.hostile {
      let name = DiskNames.record(for: key)
      XCTAssertEqual(name.utf8.count, 64 + 8)
      XCTAssertTrue(DiskNames.isRecord(name))
    }
    let long = DiskNames.record(for: String(repeating: "🙂", count: 20_000))
    XCTAssertTrue(DiskNames.isRecord(long))
  }

  func testNamesDifferEvenWithoutCase() {
    var random = SeededGenerator(seed: 9)
    var keys = Set(Self.hostile)
    while keys.count < 3_000 {
      let length = Int.random(in: 1...12, using: &random)
      keys.insert(
        String((0..<length).map { _ in "aAbB/.%\u{0}é🙂 ".randomElement(using: &random)! }))
    }
    XCTAssertEqual(Set(keys.map { DiskNames.record(for: $0).lowercased() }).count, keys.count)
  }

  func testOnlyOwnNamesAreKnown() {
    let name = DiskNames.record(for: "k")
    let foreign = [
      "", "x", name + "x", "x" + name, name.uppercased(), String(name.dropFirst()),
      name.replacingOccurrences(of: ".strata1", with: ".strata2"), DiskNames.temporary(),
      "é" + name.dropFirst(2), ".strata1", DiskNames.recordSuffix + name.dropLast(8),
    ]
    for name in foreign { XCTAssertFalse(DiskNames.isRecord(name), name) }
    XCTAssertTrue(DiskNames.isTemporary(DiskNames.temporary()))
    XCTAssertFalse(DiskNames.isTemporary(name))
  }

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
