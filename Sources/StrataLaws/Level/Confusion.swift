/// Different keys that some system stores under the same name, and the document that explains why.
struct Confusion: Sendable {
  /// The keys, as one list of strings per key. Strings in the same list are equal, and strings in
  /// different lists differ.
  let spellings: [[String]]
  /// The document that explains why some system stores these different keys under the same name.
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
