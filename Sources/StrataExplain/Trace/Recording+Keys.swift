import StrataVerbs

extension Recorder.Recording {
  /// Whether an event with a key belongs to the traced get, rather than to a get of another key.
  /// It's `nil` if the keys can't be compared, for example because a key map has changed one.
  func isOwn(_ key: (any Sendable)?) -> Bool? {
    guard let own = self.key as? any Hashable, let key = key as? any Hashable else { return nil }
    return Self.areEqual(own, key)
  }

  /// Whether another get at the same time might have had the same key.
  var hasRival: Bool { hasMoreOthers || others.contains { isOwn($0) != false } }

  private static func areEqual<Key: Hashable>(_ one: Key, _ other: any Hashable) -> Bool? {
    (other as? Key).map { $0 == one }
  }
}
