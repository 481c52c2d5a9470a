extension Cache {
  /// A level in memory without any bound, which forgets nothing unless it is told to: for tests.
  ///
  /// A copy of the cache shares the contents; another call makes others. A memory warning changes
  /// nothing. For anything but tests, `memory(capacity:cost:onMemoryWarning:onEviction:)` is the
  /// level to use.
  ///
  ///     let seeded: Cache<String, Int> = .dictionary(["a": 1])
  ///     try await seeded.value(for: "a")  // 1
  ///
  /// All is done on the caller's thread, and no code of keys or values runs under a lock.
  ///
  /// - Parameter contents: What it holds at first.
  /// - Complexity: O(1), of keys that share one hash O(n).
  /// - Law: a get after a settled set answers that value, and nothing else is ever forgotten:
  ///   `level.reading`, `level.persistence` and others of `Laws.level`; see `LevelLaws`.
  public static func dictionary(_ contents: [Key: Value] = [:]) -> Cache {
    let shelf = DictionaryShelf(contents)
    return Cache(
      get: { key in shelf.value(for: key).map { Promise(outcome: .success($0)) } ?? .miss },
      set: { key, value in
        shelf.put(value, under: key)
        return Promise()
      },
      remove: { key in
        shelf.put(nil, under: key)
        return Promise()
      },
      clear: {
        shelf.removeAll()
        return Promise()
      },
      memoryWarning: {}, spine: Spine(plan: .level("dictionary")))
  }
}

/// Keys by their hash: a lock may be held while hashes are compared, and not while keys are.
private final class DictionaryShelf<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  /// The entries of one hash; never changed, but replaced as a whole.
  private final class Bucket: Sendable {
    let entries: [(key: Key, value: Value)]
    init(_ entries: [(key: Key, value: Value)]) { self.entries = entries }
  }

  private let buckets = Lock<[Int: Bucket]>([:])

  init(_ contents: [Key: Value]) {
    for (key, value) in contents { put(value, under: key) }
  }

  func value(for key: Key) -> Value? {
    let hash = key.hashValue
    return buckets.withLock { $0[hash] }?.entries.first { $0.key == key }?.value
  }

  func put(_ value: Value?, under key: Key) {
    let hash = key.hashValue
    while true {
      let old = buckets.withLock { $0[hash] }
      var entries = old?.entries.filter { $0.key != key } ?? []
      if let value { entries.append((key, value)) }
      let new = entries.isEmpty ? nil : Bucket(entries)
      // What was replaced is returned, so that it is released outside the lock.
      let replaced = buckets.withLock { buckets -> Bucket?? in
        guard buckets[hash] === old else { return nil }
        return .some(exchanged(&buckets[hash], with: new))
      }
      if replaced != nil { return }
    }
  }

  /// What was held is released after the lock.
  func removeAll() { _ = buckets.withLock { buckets in exchanged(&buckets, with: [:]) } }
}

/// Puts a new value in the place of an old one, which is returned.
private func exchanged<Value>(_ place: inout Value, with new: Value) -> Value {
  let old = place
  place = new
  return old
}
