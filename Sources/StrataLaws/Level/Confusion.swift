/// Different keys that some system stores under the same name, with a reference.
struct Confusion: Sendable {
  /// The keys, one list per key. The strings in one list are equal, and strings in different lists
  /// differ.
  let spellings: [[String]]
  /// The document that describes the confusion.
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

  /// Keys of the same character with different lengths.
  init(_ scalar: String, lengths: [Int], suffixes: [String] = [], source: String) {
    let longest = String(repeating: scalar, count: lengths.max() ?? 0)
    self.init(
      lengths.map { String(repeating: scalar, count: $0) } + suffixes.map { longest + $0 },
      source: source)
  }
}
