import Foundation
import XCTest

/// Checks that each folder of the main library's modules uses only names that are declared in that
/// folder or in lower layers. `Package.swift` orders the modules, and the order of the folders of
/// one module is known only to this test.
///
/// The test reads the sources. A file is allowed to use a type only if the type is declared in the
/// file's folder or in a folder of a lower layer. The test also checks uses of members that an
/// extension adds to a type from a lower layer. A name is always allowed if the file's folder or a
/// lower layer also declares that name, even as a different kind of symbol.
final class LayerTests: XCTestCase {
  /// The folders of each layer, from the lowest layer to the highest layer. Folders in the same
  /// layer don't use each other.
  static let layers =
    [
      ["Platform"], ["Base"], ["Promise"],
      ["Core/Plan"], ["Core/Events"], ["Core/Order"], ["Core/Algebra"],
      ["Levels/Memory", "Levels/Testing"],
    ].map { $0.map { "StrataCore/" + $0 } } + [
      ["StrataVerbs/Codecs"],
      ["StrataVerbs/Verbs", "StrataVerbs/WarmStart"],
      ["StrataVerbs/Watching"],
      ["StrataDisk/Platform", "StrataNetwork/Platform"],
      ["StrataDisk/Files"],
      ["StrataDisk/Log"],
      ["StrataDisk/Level", "StrataDisk/UserDefaults", "StrataNetwork", "StrataApple"],
    ]

  /// Members of the standard library's types that have the same names as members in a higher layer:
  /// an atomic has a `load`, too.
  static let foreign: Set = ["load"]

  func testNoFileUsesANameFromAHigherFolder() throws {
    let files = try SourceFile.all(in: Self.sources)
    XCTAssertGreaterThan(files.count, 150, "The sources are not in the expected directory.")
    XCTAssertEqual(upwardUses(files), [])
  }

  func testEveryFolderHasALayer() throws {
    for file in try SourceFile.all(in: Self.sources) {
      XCTAssertNotNil(layer(of: file), "\(file.path) is in no layer.")
    }
  }

  func testAnUpwardUseOfATypeIsFound() {
    let files = [
      SourceFile("StrataVerbs/Verbs/Load/Pool.swift", "final class Pool {}"),
      SourceFile("StrataCore/Core/Algebra/Sum.swift", "struct Sum { let pool: Pool }"),
      SourceFile("StrataVerbs/Watching/Watch.swift", "struct Watch { let pool: Pool }"),
    ]
    XCTAssertEqual(
      upwardUses(files), ["StrataCore/Core/Algebra/Sum.swift uses Pool of StrataVerbs/Verbs"])
  }

  func testAnUpwardUseOfAMemberIsFound() {
    let files = [
      SourceFile(
        "StrataCore/Core/Algebra/Cache.swift",
        "public struct Cache {\n  var same: Cache { pooled() }\n}"),
      SourceFile(
        "StrataVerbs/Verbs/Pooled.swift",
        "extension Cache {\n  public func pooled() -> Cache { self }\n}"),
      SourceFile("StrataVerbs/Watching/Watch.swift", "let cache = Cache().pooled()"),
    ]
    XCTAssertEqual(
      upwardUses(files), ["StrataCore/Core/Algebra/Cache.swift uses pooled of StrataVerbs/Verbs"])
  }

  func testLevelsDoNotUseEachOther() {
    let files = [
      SourceFile("StrataCore/Levels/Testing/Log.swift", "struct Log {}"),
      SourceFile("StrataCore/Levels/Memory/Store.swift", "let log = Log()"),
    ]
    XCTAssertEqual(
      upwardUses(files),
      ["StrataCore/Levels/Memory/Store.swift uses Log of StrataCore/Levels/Testing"])
  }

  func testCommentsAndTextsAreNoUses() {
    let files = [
      SourceFile("StrataVerbs/Verbs/Pool.swift", "struct Pool {}"),
      SourceFile(
        "StrataCore/Core/Algebra/Sum.swift", "/// See ``Pool``.\nlet name = \"Pool\"  // A Pool."),
    ]
    XCTAssertEqual(upwardUses(files), [])
  }

  func testAnUpwardUseInsideATextIsFound() {
    let files = [
      SourceFile("StrataVerbs/Verbs/Pool.swift", "struct Pool {}"),
      SourceFile("StrataCore/Core/Algebra/One.swift", #"let name = "a \(Pool.name("b")), Cache""#),
      SourceFile(
        "StrataCore/Core/Algebra/Two.swift", "let name = \"\"\"\n  Cache \\(Pool()) \\\n  \"\"\""),
    ]
    XCTAssertEqual(
      upwardUses(files),
      ["One", "Two"].map { "StrataCore/Core/Algebra/\($0).swift uses Pool of StrataVerbs/Verbs" })
  }

  private static let sources = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("Sources")

  private typealias Layer = (rank: Int, folder: String)

  private func layer(of file: SourceFile) -> Layer? {
    for (rank, folders) in Self.layers.enumerated() {
      if let folder = folders.first(where: { file.path.hasPrefix($0 + "/") }) {
        return (rank, folder)
      }
    }
    return nil
  }

  /// Returns the uses of names that are declared only in a higher layer or in another folder of the
  /// same layer.
  private func upwardUses(_ files: [SourceFile]) -> [String] {
    var homes: [String: [Layer]] = [:]
    for file in files {
      guard let layer = layer(of: file) else { continue }
      for type in file.types { homes[type, default: []].append(layer) }
    }
    var declaring = homes
    for file in files {
      guard let layer = layer(of: file) else { continue }
      for (type, member) in file.additions
      where homes[type]?.allSatisfy({ $0.rank < layer.rank }) == true {
        declaring[member, default: []].append(layer)
      }
    }
    var known = Set(
      homes.keys.flatMap { type in homes[type]?.map { "\($0.folder) \(type)" } ?? [] })
    for file in files {
      guard let layer = layer(of: file) else { continue }
      for name in file.declarations { known.insert("\(layer.folder) \(name)") }
    }
    return files.flatMap { file -> [String] in
      guard let own = layer(of: file) else { return [] }
      let below = Self.layers.prefix(own.rank).flatMap { $0 } + [own.folder]
      return file.uses.compactMap { name in
        guard !Self.foreign.contains(name.filter { $0 != "." }),
          let lowest = declaring[name]?.min(by: { $0.rank < $1.rank }),
          !below.contains(where: { known.contains("\($0) \(name.drop { $0 == "." })") })
        else { return nil }
        return "\(file.path) uses \(name) of \(lowest.folder)"
      }
    }.sorted()
  }
}
