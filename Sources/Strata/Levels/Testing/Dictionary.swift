extension Cache {
  /// Returns a level in memory without a capacity, for tests.
  ///
  /// Copies of the cache share the entries. The level ignores memory warnings and never evicts
  /// entries.
  /// Outside tests, use `memory(capacity:cost:onMemoryWarning:onEviction:)`.
  ///
  ///     let seeded: Cache<String, Int> = .dictionary(["a": 1])
  ///     try await seeded.value(for: "a")  // 1
  ///
  /// All work runs on the caller's thread, and the level never calls user code under a lock.
  ///
  /// - Parameter contents: The initial entries. Empty by default.
  /// - Complexity: O(1), or O(n) for n keys that have the same hash.
  /// - Law: a get after a settled set returns that value, and the level never evicts:
  ///   `level.reading`, `level.persistence` and more of `Laws.level`. See `LevelLaws`.
  public static func dictionary(_ contents: [Key: Value] = [:]) -> Cache {
    let storage = DictionaryStorage(contents)
    return Cache(
      get: { key in storage.value(for: key).map { Promise(outcome: .success($0)) } ?? .miss },
      set: { key, value in
        storage.set(value, for: key)
        return Promise()
      },
      remove: { key in
        storage.set(nil, for: key)
        return Promise()
      },
      clear: {
        storage.removeAll()
        return Promise()
      },
      memoryWarning: {}, metadata: CacheMetadata(plan: .level("dictionary", .memory)))
  }
}

/// A dictionary whose keys are hashes, because user code such as `==` must not run under the lock.
private final class DictionaryStorage<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  /// The entries with one hash. A bucket is immutable.
  private final class Bucket: Sendable {
    let entries: [(key: Key, value: Value)]
    init(_ entries: [(key: Key, value: Value)]) { self.entries = entries }
  }

  private let buckets = Lock<[Int: Bucket]>([:])

  init(_ contents: [Key: Value]) {
    for (key, value) in contents { set(value, for: key) }
  }

  func value(for key: Key) -> Value? {
    let hash = key.hashValue
    return buckets.withLock { $0[hash] }?.entries.first { $0.key == key }?.value
  }

  func set(_ value: Value?, for key: Key) {
    let hash = key.hashValue
    while true {
      let old = buckets.withLock { $0[hash] }
      var entries = old?.entries.filter { $0.key != key } ?? []
      if let value { entries.append((key, value)) }
      let new = entries.isEmpty ? nil : Bucket(entries)
      // Returns the old bucket, so that it's released outside the lock.
      let replaced = buckets.withLock { buckets -> Bucket?? in
        guard buckets[hash] === old else { return nil }
        return .some(exchanged(&buckets[hash], with: new))
      }
      if replaced != nil { return }
    }
  }

  /// Removes all entries, and releases them outside the lock.
  func removeAll() { _ = buckets.withLock { buckets in exchanged(&buckets, with: [:]) } }
}

/// Stores a new value and returns the old one.
private func exchanged<Value>(_ storage: inout Value, with new: Value) -> Value {
  let old = storage
  storage = new
  return old
}
