import Foundation
import XCTest

/// Checks that each library imports exactly the modules that `Package.swift` declares for it. The
/// package manager also accepts an import of a module that only another dependency needs.
final class ModuleTests: StatementCase {
  func testEachLibraryImportsExactlyItsDependencies() throws {
    let manifest = try text(of: "Package.swift")
    let folder = Self.package.appendingPathComponent("Sources")
    let libraries = try FileManager.default.contentsOfDirectory(atPath: folder.path)
      .filter { $0.hasPrefix("Strata") }.sorted()
    XCTAssertGreaterThan(libraries.count, 9)
    for library in libraries {
      XCTAssertEqual(
        try imports(of: folder.appendingPathComponent(library)).sorted(),
        try dependencies(of: library, in: manifest).sorted(), library)
    }
  }

  func testOnlyTheCoreCanBeTakenWithoutAnotherModule() throws {
    let manifest = try text(of: "Package.swift")
    XCTAssertEqual(try dependencies(of: "StrataCore", in: manifest), [])
    XCTAssertEqual(try dependencies(of: "StrataVerbs", in: manifest), ["StrataCore"])
    XCTAssertEqual(try dependencies(of: "StrataDisk", in: manifest), ["StrataCore"])
    XCTAssertEqual(try dependencies(of: "StrataRedis", in: manifest), ["StrataCore"])
  }

  private func dependencies(of library: String, in manifest: String) throws -> Set<String> {
    if library == "Strata" {
      XCTAssertTrue(manifest.contains("name: \"Strata\", dependencies: parts.map"))
      return ["StrataCore", "StrataVerbs", "StrataDisk", "StrataNetwork", "StrataApple"]
    }
    let targets = manifest.components(separatedBy: "\n    .target(").map {
      $0.components(separatedBy: "\n    .")[0].matches(of: /"(C?Strata\w*)"/).map { String($0.1) }
    }
    return Set(try XCTUnwrap(targets.first { $0.first == library }, library).dropFirst())
  }

  private func imports(of folder: URL) throws -> Set<String> {
    let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
    var names: Set<String> = []
    for case let file as URL in try XCTUnwrap(files)
    where file.pathExtension == "swift" && !file.path.contains(".docc/") {
      let code = try String(contentsOf: file, encoding: .utf8)
      for match in code.matches(of: /(?m)^ *(?:@?\w+ )*import (C?Strata\w*)$/) {
        names.insert(String(match.1))
      }
    }
    return names
  }
}
