import Foundation
import XCTest

/// Checks that every test listed in `CASES.md` exists.
final class CasesTests: XCTestCase {
  private let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent()

  /// Returns the text of each test file, keyed by the file's name.
  private func sources() throws -> [String: String] {
    let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
    let all = (files?.compactMap { $0 as? URL } ?? []).filter { $0.pathExtension == "swift" }
    return try Dictionary(
      all.map { file in
        let name = file.deletingPathExtension().lastPathComponent
        return (name, try String(contentsOf: file, encoding: .utf8))
      }, uniquingKeysWith: { $0 + $1 })
  }

  func testEachCaseNamesExistingTests() throws {
    let sources = try sources()
    let list = try String(contentsOf: folder.appendingPathComponent("CASES.md"), encoding: .utf8)
    let rows = list.split(separator: "\n").filter { $0.hasPrefix("- **T") }
    XCTAssertEqual(rows.count, 70)
    for (place, row) in rows.enumerated() {
      XCTAssertTrue(row.hasPrefix("- **T\(place + 1)**"), "\(row)")
      let tests = row.split(separator: "`").filter { $0.contains(".test") }
      XCTAssertFalse(tests.isEmpty, "\(row)")
      for test in tests {
        let parts = test.split(separator: ".")
        let source = sources[String(parts[0])] ?? ""
        XCTAssertTrue(source.contains("func \(parts[1])("), "T\(place + 1): there is no \(test)")
      }
    }
  }
}
