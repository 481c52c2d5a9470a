extension Cache {
  /// Returns an in-memory level for tests, without a maximum size.
  ///
  /// Copies of the cache share the entries. This level ignores memory warnings, and never evicts an
  /// entry. Outside of tests, use `memory(capacity:favoring:onMemoryWarning:onEviction:)`.
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
  @inlinable
  public static func dictionary(_ contents: [Key: Value] = [:]) -> Cache {
    let storage = DictionaryStorage(contents)
    return dictionary(storage) { key in
      guard let value = storage.value(for: key) else { return .miss }
      return Promise(outcome: .success(value))
    }
  }

  @usableFromInline
  static func dictionary(
    _ storage: DictionaryStorage<Key, Value>, get: @escaping @Sendable (Key) -> Promise<Value>
  ) -> Cache {
    Cache(
      get: get,
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
@usableFromInline
final class DictionaryStorage<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  /// All entries whose keys have the same hash. Buckets are immutable.
  @usableFromInline
  final class Bucket: Sendable {
    @usableFromInline let entries: [(key: Key, value: Value)]
    init(_ entries: [(key: Key, value: Value)]) { self.entries = entries }
  }

  @usableFromInline let buckets = Lock<[Int: Bucket]>([:])

  @usableFromInline
  init(_ contents: [Key: Value]) {
    for (key, value) in contents { set(value, for: key) }
  }

  var keys: [Key] { buckets.withLock { $0 }.values.flatMap { $0.entries.map(\.key) } }

  @inlinable
  func value(for key: Key) -> Value? {
    let hash = KeyVersions.hash(key)
    guard let bucket = buckets.withLock({ $0[hash] }) else { return nil }
    for entry in bucket.entries where KeyHash.areSame(entry.key, key) { return entry.value }
    return nil
  }

  func set(_ value: Value?, for key: Key) {
    guard KeyHash.isReusable(key) else { return }
    let hash = KeyVersions.hash(key)
    while true {
      let old = buckets.withLock { $0[hash] }
      var entries = old?.entries.filter { !KeyHash.areSame($0.key, key) } ?? []
      if let value { entries.append((key, value)) }
      let new = entries.isEmpty ? nil : Bucket(entries)
      // The closure returns the old bucket, so that it's released outside the lock.
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
