extension Cache {
  /// Returns an in-memory level for tests. It has no maximum size.
  ///
  /// Copies of the cache share the entries. Memory warnings are ignored, and no entry is ever
  /// evicted. Outside tests, use `memory(capacity:cost:favoring:onMemoryWarning:onEviction:)`.
  ///
  ///     let seeded: Cache<String, Int> = .dictionary(["a": 1])
  ///     try await seeded.value(for: "a")  // 1
  ///
  /// All work runs on the caller's thread, and the level never calls user code while it holds a
  /// lock.
  ///
  /// - Parameter contents: The initial entries. By default, there are none.
  /// - Complexity: O(1), or O(n) for n keys that have the same hash.
  /// - Law: After a `set` has settled, a `get` returns the stored value, and the level never
  ///   evicts. See `level.reading`, `level.persistence`, and the other laws in `Laws.level`,
  ///   checked by `LevelLaws`.
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
      memoryWarning: {},
      metadata: CacheMetadata(plan: .level("dictionary", .memory))
        .listing { storage.keys })
  }
}

/// A dictionary whose keys are hash values, because user code such as `==` must not run while the
/// lock is held.
private final class DictionaryStorage<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  /// All entries whose keys have the same hash. It's immutable.
  private final class Bucket: Sendable {
    let entries: [(key: Key, value: Value)]
    init(_ entries: [(key: Key, value: Value)]) { self.entries = entries }
  }

  private let buckets = Lock<[Int: Bucket]>([:])

  init(_ contents: [Key: Value]) {
    for (key, value) in contents { set(value, for: key) }
  }

  var keys: [Key] { buckets.withLock { $0 }.values.flatMap { $0.entries.map(\.key) } }

  func value(for key: Key) -> Value? {
    let hash = KeyVersions.hash(key)
    return buckets.withLock { $0[hash] }?.entries.first { KeyHash.areSame($0.key, key) }?.value
  }

  func set(_ value: Value?, for key: Key) {
    guard KeyHash.isReusable(key) else { return }
    let hash = KeyVersions.hash(key)
    while true {
      let old = buckets.withLock { $0[hash] }
      var entries = old?.entries.filter { !KeyHash.areSame($0.key, key) } ?? []
      if let value { entries.append((key, value)) }
      let new = entries.isEmpty ? nil : Bucket(entries)
      // Returns the old bucket from the closure, so the bucket is released outside the lock.
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

/// Stores a new value and returns the old value.
private func exchanged<Value>(_ storage: inout Value, with new: Value) -> Value {
  let old = storage
  storage = new
  return old
}
