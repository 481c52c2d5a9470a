import Foundation

/// The words of a source file, without its comments and string literals.
struct SourceFile {
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
    lines = Self.code(in: text).split(separator: "\n", omittingEmptySubsequences: false).map {
      (String($0), Self.words(in: String($0)))
    }
  }

  static func all(in directory: URL) throws -> [SourceFile] {
    let modules = ["StrataCore", "StrataVerbs", "StrataDisk", "StrataNetwork", "StrataApple"]
    let paths = modules.flatMap { module in
      let folder = directory.appendingPathComponent(module).path
      let paths = FileManager.default.enumerator(atPath: folder)?.compactMap { $0 as? String }
      return (paths ?? []).map { "\(module)/\($0)" }
    }
    return try paths.filter { $0.hasSuffix(".swift") && !$0.hasSuffix("/Exports.swift") }.map {
      SourceFile(
        $0, try String(contentsOf: directory.appendingPathComponent($0), encoding: .utf8))
    }
  }

  /// Returns a text without its comments, and without the contents of its string literals, except
  /// for the expressions in them.
  private static func code(in text: String) -> String {
    var code = ""
    var rest = text[...]
    /// The delimiter of each string literal that contains the current character, and the number of
    /// parentheses that are open in the expression of that literal.
    var outer: [(delimiter: String, open: Int)] = []
    while let character = rest.first {
      if let (delimiter, open) = outer.last, open == 0 {
        if rest.hasPrefix(delimiter) {
          outer.removeLast()
          rest = rest.dropFirst(delimiter.count)
        } else if character == "\\" {
          if rest.hasPrefix("\\(") { outer[outer.count - 1].open = 1 }
          if !rest.hasPrefix("\\\n") { rest = rest.dropFirst() }
          rest = rest.dropFirst()
          code.append(" ")
        } else {
          if character == "\n" { code.append(character) }
          rest = rest.dropFirst()
        }
        continue
      }
      if character == "/", rest.hasPrefix("//") {
        rest = rest.drop { $0 != "\n" }
      } else if character == "\"" {
        let delimiter = rest.hasPrefix("\"\"\"") ? "\"\"\"" : "\""
        outer.append((delimiter, 0))
        rest = rest.dropFirst(delimiter.count)
        code.append("\"")
      } else {
        if let last = outer.indices.last {
          outer[last].open += character == "(" ? 1 : character == ")" ? -1 : 0
        }
        code.append(character)
        rest = rest.dropFirst()
      }
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
          let isMember = outer.isLetter || outer.isNumber || ")]}?!_\"".contains(outer)
          uses.insert((isMember ? "" : ".") + word.text)
        } else if word.after == "(", index == 0 || words[index - 1].text != "func" {
          uses.insert(word.text)
        }
      }
    }
    return uses
  }
}
