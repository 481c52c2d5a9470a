import Foundation
import XCTest

/// Checks that the privacy manifest of `StrataDisk` declares exactly the APIs from Apple's list that
/// the module uses, and that no other module uses such an API.
final class PrivacyManifestTests: XCTestCase {
  /// Patterns that match the APIs on Apple's list. Each key is the last part of a category's name.
  private let listed = [
    "FileTimestamp": #"\b(f|l)?stat(at)?\(|getattrlist|(creation|[mM]odification)Date(Key)?\b"#,
    "SystemBootTime": #"systemUptime|mach_absolute_time"#,
    "DiskSpace": #"volume(Available|Total)Capacity|f?stat(v)?fs\(|system(Free)?Size"#,
    "ActiveKeyboards": #"activeInputModes"#,
    "UserDefaults": #"\bUserDefaults\("#,
  ]

  private var sources: URL {
    URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appendingPathComponent("Sources")
  }

  private func declared() throws -> [String: [String]] {
    let file = sources.appendingPathComponent("StrataDisk/PrivacyInfo.xcprivacy")
    let manifest = try PropertyListSerialization.propertyList(
      from: Data(contentsOf: file), format: nil)
    let types = (manifest as? [String: Any])?["NSPrivacyAccessedAPITypes"] as? [[String: Any]]
    let pairs = try XCTUnwrap(types).map { type in
      let name = try XCTUnwrap(type["NSPrivacyAccessedAPIType"] as? String)
      return (
        name.replacingOccurrences(of: "NSPrivacyAccessedAPICategory", with: ""),
        try XCTUnwrap(type["NSPrivacyAccessedAPITypeReasons"] as? [String])
      )
    }
    return Dictionary(uniqueKeysWithValues: pairs)
  }

  /// Returns the names of all libraries.
  private func libraries() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: sources.path)
      .filter { $0.hasPrefix("Strata") }
  }

  /// Returns the code of a library, without comments.
  private func code(of library: String) throws -> String {
    let files = FileManager.default.enumerator(
      at: sources.appendingPathComponent(library), includingPropertiesForKeys: nil)
    let swift = try XCTUnwrap(files).compactMap { $0 as? URL }
      .filter { $0.pathExtension == "swift" && !$0.path.contains(".docc/") }
    XCTAssertFalse(swift.isEmpty)
    return try swift.map { try String(contentsOf: $0, encoding: .utf8) }.joined(separator: "\n")
      .split(separator: "\n").filter { !$0.contains("//") }.joined(separator: "\n")
  }

  func testExactlyTheUsedAPIsAreDeclared() throws {
    let libraries = try libraries()
    XCTAssertGreaterThan(libraries.count, 9)
    for library in libraries {
      let code = try code(of: library)
      let used = listed.filter { code.range(of: $0.value, options: .regularExpression) != nil }
      XCTAssertEqual(
        library == "StrataDisk" ? Set(try declared().keys) : [], Set(used.keys), library)
    }
  }

  func testEachDeclaredAPIHasAReason() throws {
    XCTAssertEqual(
      try declared(),
      ["FileTimestamp": ["C617.1"], "UserDefaults": ["C56D.1"], "DiskSpace": ["E174.1"]])
  }
}
