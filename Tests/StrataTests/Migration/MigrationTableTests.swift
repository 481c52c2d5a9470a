import Foundation
import XCTest

/// Checks that the tests contain the examples in the documentation's tables. The compiler checks
/// the examples when it compiles the tests.
final class MigrationTableTests: XCTestCase {
  private let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()

  /// Returns the text without white space, because a table and a test can break the lines of an
  /// example differently.
  private func plain(_ text: String) -> String { text.filter { !$0.isWhitespace } }

  /// Returns the second column of each table row.
  private func answers() throws -> [String] {
    let root = folder.deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    let guides = root.appendingPathComponent("Sources/Strata/Strata.docc")
    let tables = try ["FromCarlos.md", "FromDroste.md"].map { name in
      try String(contentsOf: guides.appendingPathComponent(name), encoding: .utf8)
    }
    var isInTable = false
    let rows = tables.joined(separator: "\n").split(separator: "\n").filter { line in
      if line.hasPrefix("| There | Here ") {
        isInTable = true
      } else if isInTable, line.hasPrefix("|") {
        return !line.hasPrefix("|--")
      } else {
        isInTable = false
      }
      return false
    }
    return rows.map { row in
      let cells = row.dropFirst(2).components(separatedBy: " | ")
      return cells.count > 1 ? cells[1] : ""
    }
  }

  func testEveryReplacementInTheTableIsCompiledByATest() throws {
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    let sources = try names.filter { $0.hasPrefix("From") }.map { name in
      try String(contentsOf: folder.appendingPathComponent(name), encoding: .utf8)
    }
    let compiled = plain(sources.joined(separator: "\n"))
    let answers = try answers()
    XCTAssertGreaterThan(answers.count, 100)
    for answer in answers where !answer.hasPrefix("nothing") {
      let code = answer.split(separator: "`", omittingEmptySubsequences: false)
      XCTAssertEqual(code.count, 3, "Each row should have one example: \(answer)")
      guard code.count == 3 else { continue }
      XCTAssertTrue(compiled.contains(plain(String(code[1]))), "A test should compile \(code[1]).")
    }
  }
}
