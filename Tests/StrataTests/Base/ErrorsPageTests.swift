import Foundation
import XCTest

/// Checks that the page `ErrorsAndRemedies` has a row for every error of the library.
final class ErrorsPageTests: XCTestCase {
  private let sources = URL(filePath: #filePath).deletingLastPathComponent().appending(
    path: "../../../Sources")

  func testThePageListsEveryErrorWithCauseAndRemedy() throws {
    let article = sources.appending(path: "Strata/Strata.docc/ErrorsAndRemedies.md")
    let page = try String(contentsOf: article, encoding: .utf8)
    let rows = page.split(separator: "\n").filter { $0.hasPrefix("| `") }
    let listed = rows.map { row in
      row.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
    }
    let errors = try errors()
    XCTAssertGreaterThan(errors.count, 25)
    for error in errors {
      let cells = listed.first { $0[0] == "`\(error)`" }
      XCTAssertEqual(cells?.count, 3, "\(error) has no row with a cause and a remedy.")
    }
    for row in listed {
      XCTAssertTrue(errors.contains(String(row[0].dropFirst().dropLast())), row[0])
    }
  }

  /// Returns the names of all public errors: each case of a public error enum, and each other
  /// public error type.
  private func errors() throws -> Set<String> {
    var errors: Set<String> = ["MemoryWarningError"]
    let libraries = ["Core", "Verbs", "Disk", "Network", "Apple", "HTTP", "Redis"]
    let files = libraries.map { "Strata" + $0 }.flatMap { library in
      let folder = sources.appending(path: library)
      return FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)?
        .compactMap { $0 as? URL } ?? []
    }
    for file in files where file.pathExtension == "swift" {
      let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
      var indent: Int?
      for line in lines {
        let text = line.trimmingPrefix { $0 == " " }
        let depth = line.count - text.count
        if let outer = indent, depth == outer, text == "}" { indent = nil }
        if let outer = indent, depth == outer + 2, text.hasPrefix("case ") {
          errors.insert(String(text.dropFirst(5).prefix { $0.isLetter }))
        }
        let isError = text.contains(": Error,") || text.contains("LocalizedError,")
        guard isError, !text.contains("MemoryWarningError") else { continue }
        if text.hasPrefix("public enum") { indent = depth }
        if text.hasPrefix("public struct "), !text.contains("NetworkError") {
          errors.insert(String(text.dropFirst(14).prefix { $0.isLetter }))
        }
      }
    }
    return errors
  }
}
