/// Different keys that a level might confuse, and the documents that explain why.
struct Confusion: Sendable {
  /// One list for each key. The strings of a list are equal, but may consist of different Unicode
  /// scalars. Strings of different lists aren't equal.
  let spellings: [[String]]
  /// The documents that explain why a file system, database, or other store might confuse the keys.
  let source: String

  /// The first spelling of each key.
  var keys: [String] { spellings.compactMap(\.first) }

  init(_ keys: [String], source: String) {
    spellings = keys.map { [$0] }
    self.source = source
  }

  init(spellings: [[String]], source: String) {
    self.spellings = spellings
    self.source = source
  }

  /// Creates keys that repeat the same character and differ in length.
  init(_ scalar: String, lengths: [Int], suffixes: [String] = [], source: String) {
    let longest = String(repeating: scalar, count: lengths.max() ?? 0)
    self.init(
      lengths.map { String(repeating: scalar, count: $0) } + suffixes.map { longest + $0 },
      source: source)
  }
}
