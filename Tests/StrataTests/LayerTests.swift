import Foundation
import XCTest

/// Checks that each folder of `Sources/Strata` uses only names that are declared in that folder or
/// in lower layers.
///
/// The test reads the sources. A file is allowed to use a type only if the type is declared in the
/// file's folder or in a folder of a lower layer. The test also checks uses of members that an
/// extension adds to a type from a lower layer. A name is always allowed if the file's folder or a
/// lower layer also declares that name, even as a different kind of symbol.
final class LayerTests: XCTestCase {
  /// The folders of each layer, from the lowest layer to the highest layer. Folders in the same
  /// layer don't use each other.
  static let layers = [
    ["Platform/System"],
    ["Base"],
    ["Promise"],
    ["Core"],
    ["Codecs"],
    ["Levels/Memory", "Levels/Disk", "Levels/Network", "Levels/UserDefaults", "Levels/Testing"],
    ["Verbs"],
    ["Watching"],
    ["Platform/Apple"],
  ]

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
      SourceFile("Verbs/Load/Pool.swift", "final class Pool {}"),
      SourceFile("Core/Sum.swift", "struct Sum { let pool: Pool }"),
      SourceFile("Watching/Watch.swift", "struct Watch { let pool: Pool }"),
    ]
    XCTAssertEqual(upwardUses(files), ["Core/Sum.swift uses Pool of Verbs"])
  }

  func testAnUpwardUseOfAMemberIsFound() {
    let files = [
      SourceFile("Core/Cache.swift", "public struct Cache {\n  var same: Cache { pooled() }\n}"),
      SourceFile(
        "Verbs/Pooled.swift", "extension Cache {\n  public func pooled() -> Cache { self }\n}"),
      SourceFile("Watching/Watch.swift", "let cache = Cache().pooled()"),
    ]
    XCTAssertEqual(upwardUses(files), ["Core/Cache.swift uses pooled of Verbs"])
  }

  func testLevelsDoNotUseEachOther() {
    let files = [
      SourceFile("Levels/Disk/Log.swift", "struct Log {}"),
      SourceFile("Levels/Memory/Store.swift", "let log = Log()"),
    ]
    XCTAssertEqual(upwardUses(files), ["Levels/Memory/Store.swift uses Log of Levels/Disk"])
  }

  func testCommentsAndTextsAreNoUses() {
    let files = [
      SourceFile("Verbs/Pool.swift", "struct Pool {}"),
      SourceFile("Core/Sum.swift", "/// See ``Pool``.\nlet name = \"Pool\"  // A Pool."),
    ]
    XCTAssertEqual(upwardUses(files), [])
  }

  private static let sources = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent(
      "Sources/Strata")

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
        guard let lowest = declaring[name]?.min(by: { $0.rank < $1.rank }),
          !below.contains(where: { known.contains("\($0) \(name.drop { $0 == "." })") })
        else { return nil }
        return "\(file.path) uses \(name) of \(lowest.folder)"
      }
    }.sorted()
  }
}

/// The words of a source file, without its comments and string literals.
private struct SourceFile {
  private struct Word {
    let text: String
    /// The two characters before the word, beginning with the nearer one.
    let before: (Character, Character)
    let after: Character
  }

  let path: String
  private let lines: [(text: String, words: [Word])]

  init(_ path: String, _ text: String) {
    self.path = path
    var isInText = false
    lines = text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
      let parts = line.components(separatedBy: "\"\"\"")
      let wasInText = isInText
      if parts.count.isMultiple(of: 2) { isInText.toggle() }
      let code = wasInText ? parts.last ?? "" : parts[0]
      let visible = wasInText && parts.count == 1 ? "" : Self.code(in: code)
      return (visible, Self.words(in: visible))
    }
  }

  static func all(in directory: URL) throws -> [SourceFile] {
    let paths = FileManager.default.enumerator(atPath: directory.path)?.compactMap { $0 as? String }
    return try (paths ?? []).filter { $0.hasSuffix(".swift") && !$0.contains(".docc/") }.map {
      SourceFile(
        $0, try String(contentsOf: directory.appendingPathComponent($0), encoding: .utf8))
    }
  }

  /// Returns a line without its comment, and without the contents of its string literals.
  private static func code(in line: String) -> String {
    var (code, isInString, last) = ("", false, Character(" "))
    for character in line {
      if character == "\"", last != "\\" { isInString.toggle() }
      if !isInString {
        code.append(character)
        if code.hasSuffix("//") { return String(code.dropLast(2)) }
      }
      last = character
    }
    return code
  }

  private static func words(in code: String) -> [Word] {
    var words: [Word] = []
    var (text, before) = ("", (Character(" "), Character(" ")))
    var last = (Character(" "), Character(" "))
    for character in code + " " {
      if character.isLetter || character.isNumber || character == "_" {
        if text.isEmpty { before = last }
        text.append(character)
      } else if !text.isEmpty {
        words.append(Word(text: text, before: before, after: character))
        text = ""
      }
      last = (character, last.0)
    }
    return words
  }

  private static let typeWords: Set = [
    "struct", "class", "enum", "protocol", "typealias", "actor", "associatedtype",
  ]
  private static let memberWords: Set = ["func", "var", "let", "case"]

  /// Returns the names that a line declares.
  private func names(_ words: [Word], after keywords: Set<String>) -> [String] {
    zip(words, words.dropFirst()).compactMap { keywords.contains($0.text) ? $1.text : nil }
  }

  /// The types that the file declares for other files. Nested types aren't included, because other
  /// files use them through their outer type.
  var types: [String] {
    lines.filter { !$0.text.hasPrefix(" ") && !$0.words.contains { $0.text.hasSuffix("private") } }
      .flatMap { names($0.words, after: Self.typeWords) }
  }

  /// The members that extensions in this file add to a type. A leading dot marks a static member.
  var additions: [(type: String, member: String)] {
    var type: String?
    return lines.flatMap { line -> [(type: String, member: String)] in
      if line.text.hasPrefix("extension ") { type = line.words[1].text }
      if line.text.hasPrefix("}") { type = nil }
      guard let type, line.text.hasPrefix("  "), !line.text.hasPrefix("   "),
        !line.words.contains(where: { $0.text.hasSuffix("private") })
      else { return [] }
      let isStatic = line.words.contains { $0.text == "static" }
      return names(line.words, after: Self.memberWords).prefix(1).map {
        (type, (isStatic ? "." : "") + $0)
      }
    }
  }

  /// Every name that the file declares, at any depth.
  var declarations: [String] {
    lines.flatMap { names($0.words, after: Self.typeWords.union(Self.memberWords)) }
  }

  /// The names of types and members that the file uses. A member is a name after a dot or before a
  /// parenthesis. The name of an implicit member, such as `.memory`, includes the leading dot.
  var uses: Set<String> {
    var uses: Set<String> = []
    for (_, words) in lines {
      for (index, word) in words.enumerated() {
        if word.text.first?.isUppercase == true {
          uses.insert(word.text)
        } else if word.before.0 == "." {
          let outer = word.before.1
          let isMember = outer.isLetter || outer.isNumber || ")]}?!_".contains(outer)
          uses.insert((isMember ? "" : ".") + word.text)
        } else if word.after == "(", index == 0 || words[index - 1].text != "func" {
          uses.insert(word.text)
        }
      }
    }
    return uses
  }
}
