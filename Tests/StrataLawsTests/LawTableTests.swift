import Foundation
import StrataLaws
import XCTest

/// Compares the table in `LAWS.md` with the library and the tests. The table lists the planted
/// faults that each law must find.
final class LawTableTests: XCTestCase {
  private let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
  private var root: URL { tests.deletingLastPathComponent().deletingLastPathComponent() }

  /// All laws of the library, without duplicates.
  private var laws: [Law] {
    var names: Set<String> = []
    return Laws.all.flatMap(\.laws).filter { names.insert($0.name).inserted }
  }

  /// A test that plants a fault, and the laws that the fault must break.
  private struct Fault {
    let name: String
    /// The names of the laws as they appear in the test's source, such as `plans.order.\(form)`.
    let laws: [String]
    /// Whether the fault breaks only one law.
    let isAlone: Bool
  }

  func testTheTableListsEachLawWithItsFaults() throws {
    let faults = try faults()
    let table = try String(
      contentsOf: tests.deletingLastPathComponent().appendingPathComponent("LAWS.md"),
      encoding: .utf8)
    let rows = table.split(separator: "\n").filter { $0.hasPrefix("- ") }.map(String.init)
    let wanted = laws.map { law in
      let ofLaw = faults.filter { $0.laws.contains { law.name.isWritten($0) } }
      XCTAssertFalse(ofLaw.isEmpty, "The law \(law.name) needs a planted fault.")
      let names = ofLaw.map { "`\($0.name)`" + ($0.isAlone ? " (alone)" : "") }.sorted()
      return "- **\(law.name)**, `\(law.statement)`: \(names.joined(separator: ", "))"
    }
    let wrong = Set(rows).subtracting(wanted).sorted()
    XCTAssertEqual(wrong, [], "LAWS.md should have no wrong rows.")
    let missing = wanted.filter { !rows.contains($0) }
    XCTAssertEqual(missing.joined(separator: "\n"), "", "LAWS.md should have a row for each law.")
    XCTAssertEqual(rows.count, wanted.count)
  }

  func testEachFaultNamesALaw() throws {
    let names = laws.map(\.name)
    for fault in try faults() {
      XCTAssertFalse(fault.laws.isEmpty, "The test of \(fault.name) should name a law.")
      for law in fault.laws {
        XCTAssertTrue(
          names.contains { $0.isWritten(law) }, "\(fault.name) names an unknown law: \(law)")
      }
    }
  }

  func testNoStructureIsForgotten() throws {
    let sources = try sources(of: root.appendingPathComponent("Sources/StrataLaws"))
    let all = sources.first { $0.name == "Laws+All" }?.text ?? ""
    let named = Set(all.firstGroups(of: #"(?m)[\[,\s]\.(\w+)\b"#))
    let declared = sources.filter { $0.name != "Laws+All" }.flatMap { source in
      source.text.firstGroups(
        of: #"(?m)^  (?:public |package )?static (?:var|func) (\w+)[^{=]*?(?:->|:) Laws \{"#)
    }
    XCTAssertGreaterThan(declared.count, 30)
    XCTAssertEqual(
      Set(declared).subtracting(named).sorted(), [], "Laws.all should have each structure.")
  }

  func testNoLawIsForgotten() throws {
    let names = laws.map(\.name)
    let parts = Set(names + names.flatMap { $0.split(separator: ".").map(String.init) })
    var made: [String] = []
    for source in try sources(of: root.appendingPathComponent("Sources/StrataLaws")) {
      let code = source.text.split(separator: "\n").filter { !$0.contains("///") }
      made += code.joined(separator: "\n").firstGroups(
        of: #"\b(?:Law|law|same)\(\s*(?:probe,\s*)?(?:onThreads: |time: )?"([^"]+)""#)
    }
    XCTAssertGreaterThan(made.count, 120)
    for name in made {
      let isThere =
        name.contains("\\(") ? names.contains { $0.isWritten(name) } : parts.contains(name)
      XCTAssertTrue(isThere, "Laws.all should have the law \(name).")
    }
  }

  func testEachLawThatTheDocumentationNamesExists() throws {
    let names = laws.map(\.name)
    let structures = Set(names.compactMap { $0.split(separator: ".").first.map(String.init) })
    let checks = try sources(of: root.appendingPathComponent("Tests")).map(\.text).joined()
    var count = 0
    let libraries = ["Core", "Verbs", "Disk", "Network", "Explain"].map { "Sources/Strata" + $0 }
    for source in try libraries.flatMap({ try sources(of: root.appendingPathComponent($0)) }) {
      let comments = source.text.split(separator: "\n").filter { $0.contains("/// ") }
      for name in comments.joined(separator: "\n").firstGroups(of: #"`([a-zA-Z]+\.[a-zA-Z]+)`"#) {
        let parts = name.split(separator: ".")
        guard structures.contains(String(parts[0])) else { continue }
        count += 1
        let isThere =
          names.contains { $0 == name || $0.hasPrefix(name + ".") }
          || name == "transparency.\(parts[1])" && checks.contains(".transparent(\"\(parts[1])\")")
        XCTAssertTrue(isThere, "\(source.name) names an unknown law: \(name)")
      }
    }
    XCTAssertGreaterThan(count, 60)
  }

  /// Returns the tests that plant faults. Each test names the laws that its fault must break.
  private func faults() throws -> [Fault] {
    try sources(of: tests).filter { $0.name.hasSuffix("FaultTests") }.flatMap { source in
      // A test whose name ends with “Lawful” checks a correct implementation.
      source.text.components(separatedBy: "\n  func test").dropFirst().filter { text in
        !text.prefix { $0 != "(" }.hasSuffix("Lawful")
      }.map { text in
        let name = text.prefix { $0 != "(" }
        let body = text.components(separatedBy: "\n  }\n")[0]
        let laws = body.firstGroups(of: #""(\w+(?:\.(?:\w|\\\(\w+\))+)+)""#)
        return Fault(
          name: "\(source.name).test\(name)", laws: body.contains("expectCaught(") ? laws : [],
          isAlone: laws.count == 1 && body.contains("alone: true"))
      }
    }
  }

  /// Returns the names and texts of the Swift files in a directory.
  private func sources(of folder: URL) throws -> [(name: String, text: String)] {
    let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
    return try (files?.compactMap { $0 as? URL } ?? []).filter { $0.pathExtension == "swift" }
      .map { file in
        let name = file.deletingPathExtension().lastPathComponent
        return (name, try String(contentsOf: file, encoding: .utf8))
      }.sorted { $0.0 < $1.0 }
  }
}

extension String {
  /// Returns the text of the first group in each match of a pattern.
  fileprivate func firstGroups(of pattern: String) -> [String] {
    let expression = try? NSRegularExpression(pattern: pattern)
    let matches = expression?.matches(in: self, range: NSRange(startIndex..., in: self)) ?? []
    return matches.compactMap { Range($0.range(at: 1), in: self).map { String(self[$0]) } }
  }

  /// Returns whether `text` matches this law name. The text comes from the source code of a test,
  /// so it can contain an interpolation, as in `plans.order.\(form)`.
  fileprivate func isWritten(_ text: String) -> Bool {
    guard text.contains("\\(") else { return self == text }
    let (parts, written) = (split(separator: "."), text.split(separator: "."))
    return parts.count == written.count
      && zip(parts, written).allSatisfy { part, written in
        let ends = written.components(separatedBy: "\\(")
        guard ends.count == 2 else { return part == written }
        let suffix = ends[1].drop { $0 != ")" }.dropFirst()
        return part.hasPrefix(ends[0]) && part.hasSuffix(suffix)
      }
  }
}
