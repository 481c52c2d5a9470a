/// Different keys that a system stores under one name, with a reference.
struct Confusion: Sendable {
  /// The keys. The elements of one list are equal as strings. Elements of different lists are
  /// different strings.
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
