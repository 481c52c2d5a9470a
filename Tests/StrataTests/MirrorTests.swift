import Foundation
import XCTest

/// Tests mirror sources: each source has a test of its name, or a row in `MIRROR.md` that names the
/// test or law by which it is covered.
final class MirrorTests: XCTestCase {
  private let package = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

  /// Where the tests of a target are, and whether they have its folders.
  private let targets = [
    (sources: "Strata", tests: "StrataTests", hasFolders: true),
    (sources: "StrataLaws", tests: "StrataLawsTests", hasFolders: false),
    (sources: "Tool", tests: "ToolTests", hasFolders: false),
  ]

  /// A row: what covers some sources of a folder; of a source that has no test, why.
  private struct Row {
    let folder: String
    let test: String?
    let sources: [String]
    let text: String
  }

  /// The paths of all Swift files in a folder, without their ending and in order.
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

  /// The test of a source that goes by its name: `CachePlanTreeTests` of `CachePlan+Tree`.
  private func hasTest(
    _ source: String, _ tests: Set<String>, hasFolders: Bool
  ) -> Bool {
    let wanted = source.replacingOccurrences(of: "+", with: "") + "Tests"
    if hasFolders { return tests.contains(wanted) }
    return tests.contains { name($0) == name(wanted) }
  }

  func testEachSourceHasATestOfItsNameOrARowInTheTable() throws {
    let listed = Dictionary(
      grouping: try rows().flatMap { row in
        row.sources.map { "\(row.folder)/\($0)" }
      }
    ) { $0 }
    for target in targets {
      let tests = Set(files(in: "Tests/\(target.tests)"))
      for source in files(in: "Sources/\(target.sources)") {
        let path = "\(target.sources)/\(source)"
        let count = listed[path]?.count ?? 0
        if hasTest(source, tests, hasFolders: target.hasFolders) {
          XCTAssertEqual(count, 0, "\(path) has a test of its name: it needs no row")
        } else {
          XCTAssertEqual(
            count, 1, "\(path) has neither a test of its name nor one row in MIRROR.md")
        }
      }
    }
  }

  func testTheTableNamesWhatThereIs() throws {
    let sources = Set(
      targets.flatMap { target in
        files(in: "Sources/\(target.sources)").map { "\(target.sources)/\($0)" }
      })
    let tests = Dictionary(grouping: files(in: "Tests"), by: name)
    for row in try rows() {
      XCTAssertFalse(row.sources.isEmpty, row.text)
      for source in row.sources {
        XCTAssertTrue(sources.contains("\(row.folder)/\(source)"), "no \(source) in \(row.folder)")
      }
      guard let test = row.test else { continue }
      let text =
        try tests[test]?.map { file in
          try String(
            contentsOf: package.appendingPathComponent("Tests/\(file).swift"), encoding: .utf8)
        }.joined() ?? ""
      XCTAssertTrue(text.contains("func test"), "there are no tests in \(test)")
    }
  }

  func testNoFileOfSourcesOrTestsIsLongerThanTwoHundredAndFiftyLines() throws {
    for file in files(in: "Sources").map({ "Sources/\($0)" })
      + files(in: "Tests").map({ "Tests/\($0)" }) where !longer.contains(name(file))
    {
      let text = try String(
        contentsOf: package.appendingPathComponent("\(file).swift"), encoding: .utf8)
      XCTAssertLessThanOrEqual(text.filter { $0 == "\n" }.count, 250, file)
    }
  }

  /// Still to be split.
  private let longer = ["SegmentLogFolderTests", "SegmentLogSizeTests"]
}
