import Foundation
import XCTest

/// Checks that platform conditions, such as `#if os(Linux)`, occur only in the `Platform`
/// directories, in `StrataApple`, and in the libcurl transport.
///
/// The test reads the sources. The test ignores conditions that check only the processor or the
/// build configuration, such as `#if DEBUG`.
final class PlatformTests: XCTestCase {
  /// The platform condition of the libcurl transport. Each file of the transport is a single block
  /// with this condition.
  private static let curl = "#if canImport(CStrataCurl) && canImport(Glibc)"

  func testConditionsOnThePlatformAreInOneFolder() throws {
    var found: [String] = []
    var count = 0
    for (path, text) in try sources() {
      let conditions = Self.conditions(in: text)
      count += conditions.count
      let folders = path.split(separator: "/")
      if folders[0] == "StrataApple" || folders[1] == "Platform" { continue }
      if path.hasPrefix("StrataNetwork/"), conditions == [Self.curl],
        text.hasPrefix(Self.curl + "\n"), text.hasSuffix("\n#endif\n")
      {
        continue
      }
      found += conditions.map { "\(path): \($0)" }
    }
    XCTAssertEqual(found, [])
    XCTAssertGreaterThan(count, 20, "The sources are not in the expected directory.")
  }

  func testAConditionIsFound() {
    let text = "let a = 1\n  #if !os(Linux) && DEBUG\n#elseif canImport(UIKit)\n#if DEBUG\n//os()"
    XCTAssertEqual(
      Self.conditions(in: text), ["#if !os(Linux) && DEBUG", "#elseif canImport(UIKit)"])
  }

  func testAnImportOfOnePlatformIsUnderACondition() throws {
    let modules = ["Darwin", "Glibc", "Musl", "Android", "FoundationNetworking"]
    let found = try sources().filter { path, text in
      !path.contains("/Platform/") && modules.contains { "\n\(text)".contains("\nimport \($0)\n") }
    }
    XCTAssertEqual(
      found.map(\.path), [], "Files should import only Foundation, which has the C library.")
  }

  func testTextOfAPeerIsNotEscapedAgain() throws {
    // `URL(string:)` escapes a whole component again if one of its characters isn't allowed. In
    // these files, the text is a constant, the user's, or a host.
    let allowed = [
      "Tool/", "StrataLaws/Level/LawSample.swift", "StrataCore/Base/URLAuthority.swift",
    ]
    let found = try sources().filter { path, text in
      !allowed.contains { path.hasPrefix($0) }
        && text.split(separator: "\n").contains { line in
          line.contains("URL(string:") && !line.contains("encodingInvalidCharacters: false")
            && !line.trimmingCharacters(in: .whitespaces).hasPrefix("//")
        }
    }
    XCTAssertEqual(found.map(\.path), [], "Pass encodingInvalidCharacters: false, or URLReference.")
  }

  /// Returns the platform conditions in a string.
  private static func conditions(in text: String) -> [String] {
    text.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }.filter { line in
      (line.hasPrefix("#if ") || line.hasPrefix("#elseif "))
        && ["canImport(", "os(", "targetEnvironment(", "_pointerBitWidth("].contains {
          line.contains($0)
        }
    }
  }

  private func sources() throws -> [(path: String, text: String)] {
    let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("Sources")
    let paths = FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String }
    return try (paths ?? []).filter { $0.hasSuffix(".swift") && !$0.contains(".docc/") }.sorted()
      .map { ($0, try String(contentsOf: folder.appendingPathComponent($0), encoding: .utf8)) }
  }
}
