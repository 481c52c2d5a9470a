import Foundation
import XCTest

/// Tests the stand-ins for Apple's modules, and the Xcode scheme that runs the tests on iOS.
final class StandInTests: StatementCase {
  /// A block of declarations without blank lines needs only one citation. The citation of a type
  /// also covers the members in its body, but not members in extensions. Declarations that exist
  /// only in a stand-in need no citation.
  func testEachDeclarationCitesApplesDocumentation() throws {
    let folder = Self.package.appendingPathComponent("Tests/Apple").path
    let paths = FileManager.default.enumerator(atPath: folder)?.compactMap { $0 as? String } ?? []
    var (count, uncited) = (0, [String]())
    for path in paths.sorted()
    where path.hasSuffix(".swift") && !path.hasPrefix("Runs/") && !path.hasPrefix("XCTest/") {
      var (isCited, isInExtension) = (false, false)
      for line in try text(of: "Tests/Apple/\(path)").components(separatedBy: "\n") {
        let isComment = line.trimmingCharacters(in: .whitespaces).hasPrefix("//")
        if line == "}" { isInExtension = false }
        if line.hasPrefix("extension "), !line.hasSuffix("}") { isInExtension = true }
        if line.isEmpty || line.hasPrefix("extension ") { isCited = false }
        if isComment, line.contains(/developer\.apple\.com|part of the stand-in/) { isCited = true }
        let indentation = line.prefix { $0 == " " }.count
        guard !isComment, indentation == (isInExtension ? 2 : 0),
          line.contains(/\b(public|open)\b/), !line.contains(/[Ss]tandIn/)
        else { continue }
        count += 1
        if !isCited { uncited.append("\(path): \(line)") }
      }
    }
    XCTAssertEqual(uncited, [])
    XCTAssertGreaterThan(count, 200)
  }

  /// The scheme excludes the tests of the tool, because an iOS app can't start other processes.
  func testTheSchemeHasTheTestsOfAllLibraries() throws {
    let manifest = try text(of: "Package.swift")
    let tests = manifest.components(separatedBy: ".testTarget(").dropFirst().compactMap {
      $0.components(separatedBy: "\"").dropFirst().first
    }
    let scheme = try text(of: ".swiftpm/xcode/xcshareddata/xcschemes/Libraries.xcscheme")
    let listed = scheme.components(separatedBy: "BlueprintIdentifier = \"").dropFirst().compactMap {
      $0.components(separatedBy: "\"").first
    }
    XCTAssertEqual(
      Set(listed.filter { $0.hasSuffix("Tests") }), Set(tests).subtracting(["ToolTests"]))
    for library in listed where !library.hasSuffix("Tests") {
      let target = "name: \"\(library)\","
      XCTAssertTrue(library == "Strata" || manifest.contains(target), library)
    }
    XCTAssertTrue(try text(of: ".ci/mac").contains("-scheme Libraries"))
  }

  /// Tests three numbers in the article ApplePlatforms: the imports of `Synchronization` in the
  /// parts of the main library, their atomics, and their atomic operations. The atomics need the
  /// module `Synchronization`, so Strata doesn't support older systems without this module.
  func testTheArticleCountsTheAtomics() throws {
    let parts = ["Core", "Verbs", "Disk", "Network", "Apple"].map { "Strata" + $0 }
    let paths = parts.flatMap { part in
      let folder = Self.package.appendingPathComponent("Sources/\(part)").path
      let paths = FileManager.default.enumerator(atPath: folder)?.compactMap { $0 as? String }
      return (paths ?? []).map { "\(part)/\($0)" }
    }
    var (files, atomics, operations) = (0, 0, 0)
    for path in paths where path.hasSuffix(".swift") {
      let source = try text(of: "Sources/\(path)")
      if source.contains("import Synchronization\n") { files += 1 }
      atomics += source.components(separatedBy: "\n").count {
        $0.contains("let ") && $0.contains("Atomic")
      }
      for name in [" ordering: .", "(ordering: .", "successOrdering: ."] {
        operations += source.components(separatedBy: name).count - 1
      }
    }
    try expect(
      "ApplePlatforms",
      states: "In the main library, \(files) files import `Synchronization`, declare "
        + "\(atomics) atomics, and contain \(operations) atomic operations.")
  }
}
