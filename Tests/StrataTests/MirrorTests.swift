import Foundation
import XCTest

/// Checks that each source file has a test file of the same name, or a row in `MIRROR.md`. A row
/// names the test or law that covers the source file.
final class MirrorTests: XCTestCase {
  private let package = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

  /// The directories of each target's sources and tests, and whether the tests have the same
  /// subdirectories.
  private let targets = [
    (sources: "Strata", tests: "StrataTests", hasFolders: true),
    (sources: "StrataCore", tests: "StrataTests", hasFolders: true),
    (sources: "StrataVerbs", tests: "StrataTests", hasFolders: true),
    (sources: "StrataDisk", tests: "StrataTests/Disk", hasFolders: true),
    (sources: "StrataNetwork", tests: "StrataTests/Network", hasFolders: true),
    (sources: "StrataApple", tests: "StrataTests/Apple", hasFolders: true),
    (sources: "StrataExplain", tests: "StrataExplainTests", hasFolders: true),
    (sources: "StrataHTTP", tests: "StrataHTTPTests", hasFolders: true),
    (sources: "StrataRedis", tests: "StrataRedisTests", hasFolders: true),
    (sources: "StrataLaws", tests: "StrataLawsTests", hasFolders: false),
    (sources: "StrataMigration", tests: "StrataMigrationTests", hasFolders: true),
    (sources: "Tool", tests: "ToolTests", hasFolders: false),
  ]

  /// A row of the table in `MIRROR.md`. A row names source files in a directory and the test that
  /// covers them. If there is no test, the row states the reason.
  private struct Row {
    let folder: String
    let test: String?
    let sources: [String]
    let text: String
  }

  /// Returns the paths of all Swift files in a directory, sorted, without their extension.
  private func files(in folder: String) -> [String] {
    let base = package.appendingPathComponent(folder)
    let files =
      FileManager.default.enumerator(atPath: base.path)?.compactMap { $0 as? String } ?? []
    return files.filter { $0.hasSuffix(".swift") && !$0.contains(".docc/") }
      .map { String($0.dropLast(6)) }.sorted()
  }

  private func rows() throws -> [Row] {
    let file = package.appendingPathComponent("Tests/MIRROR.md")
    var (folder, rows) = ("", [Row]())
    for line in try String(contentsOf: file, encoding: .utf8).split(separator: "\n") {
      if line.hasPrefix("## ") { folder = String(line.dropFirst(3)) }
      guard line.hasPrefix("- ") else { continue }
      let names = line.split(separator: "`", omittingEmptySubsequences: false).enumerated()
        .filter { $0.offset % 2 == 1 }.map { String($0.element) }
      let isTest = line.hasPrefix("- `")
      rows.append(
        Row(
          folder: folder, test: isTest ? names.first : nil,
          sources: Array(names.dropFirst(isTest ? 1 : 0)), text: String(line)))
    }
    return rows
  }

  private func name(_ path: String) -> String {
    path.split(separator: "/").last.map(String.init) ?? ""
  }

  private func text(of file: String) throws -> String {
    try String(contentsOf: package.appendingPathComponent("\(file).swift"), encoding: .utf8)
  }

  /// The paths of all source files, such as `Strata/Core/Sum`. The paths omit `Sources/` and
  /// `.swift`.
  private var sources: Set<String> {
    Set(
      targets.flatMap { target in
        files(in: "Sources/\(target.sources)").map { "\(target.sources)/\($0)" }
      })
  }

  /// Whether a source file has a test file of the same name, such as `CachePlanTreeTests` for
  /// `CachePlan+Tree`.
  private func hasTest(
    _ source: String, _ tests: Set<String>, hasFolders: Bool
  ) -> Bool {
    let wanted = source.replacingOccurrences(of: "+", with: "") + "Tests"
    if hasFolders { return tests.contains(wanted) }
    return tests.contains { name($0) == name(wanted) }
  }

  func testEachSourceHasATestOfItsNameOrARowInTheTable() throws {
    let listed = try rows().flatMap { row in row.sources.map { "\(row.folder)/\($0)" } }
    var named: Set<String> = []
    for target in targets {
      let tests = Set(files(in: "Tests/\(target.tests)"))
      for source in files(in: "Sources/\(target.sources)")
      where hasTest(source, tests, hasFolders: target.hasFolders) {
        named.insert("\(target.sources)/\(source)")
      }
    }
    XCTAssertGreaterThan(named.count, 100, "The sources are not in the expected directory.")
    XCTAssertEqual(
      sources.subtracting(named).subtracting(listed).sorted(), [],
      "Each source should have a test of the same name or a row in MIRROR.md.")
    XCTAssertEqual(
      named.intersection(listed).sorted(), [],
      "A source with a test of the same name should have no row.")
    XCTAssertEqual(
      Dictionary(grouping: listed) { $0 }.filter { $0.value.count > 1 }.keys.sorted(), [],
      "A source should have at most one row.")
  }

  func testTheTableNamesOnlyExistingFiles() throws {
    let (tests, sources) = (Dictionary(grouping: files(in: "Tests"), by: name), sources)
    var strangers: [String] = []
    for row in try rows() {
      strangers += row.sources.map { "\(row.folder)/\($0)" }.filter { !sources.contains($0) }
      if row.sources.isEmpty { strangers.append(row.text) }
      guard let test = row.test else { continue }
      let texts = try (tests[test] ?? []).map { try text(of: "Tests/\($0)") }
      if !texts.contains(where: { $0.contains("func test") }) { strangers.append(test) }
    }
    XCTAssertEqual(strangers, [], "MIRROR.md should name only existing sources and tests.")
  }

  func testNoFileOfSourcesOrTestsIsLongerThanTwoHundredAndFiftyLines() throws {
    let all = ["Sources", "Tests"].flatMap { folder in files(in: folder).map { "\(folder)/\($0)" } }
    let tooLong = try all.filter { file in
      try !longer.contains(name(file)) && text(of: file).filter { $0 == "\n" }.count > 250
    }
    XCTAssertEqual(tooLong, [])
  }

  /// The files that are allowed to be longer than 250 lines.
  private let longer: [String] = []
}
