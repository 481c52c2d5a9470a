extension Cache /* : Contravariant in Key */ {
  /// Returns a cache that uses a function to convert its keys to the keys of this cache.
  ///
  /// The returned cache reads and writes the entries of this cache, under the converted keys. With
  /// a function that isn't injective, several new keys share one entry. Apply such a function to a
  /// whole sum, not to its levels. A sum orders the operations of each of its own keys. But if a
  /// level converted two of these keys to one, their operations would have no common order.
  ///
  /// Key maps that add different prefixes don't divide a cache into parts. The `removeAll()` of the
  /// returned cache clears this whole cache, including the entries of all other key maps. To clear
  /// parts separately, use separate levels, such as disk levels with different names.
  ///
  ///     let pages = \URL.absoluteString <^> disk  // Cache<URL, Data>
  ///     try await pages.value(for: url)  // from disk, under url.absoluteString
  ///
  /// - Parameter transform: A pure function that converts a new key to a key of this cache. It runs
  ///   on the caller's thread. When it throws, the operation fails with that error and doesn't
  ///   reach this cache. There is one exception: if this cache is read-only, a write succeeds even
  ///   if `transform` throws.
  /// - Complexity: O(1) to build. Each `get`, `set`, and `remove` calls `transform` once. When a
  ///   verb or a codec rejects a Redis level's value, a sum can request the right to replace this
  ///   value. Then the request and a read after it call `transform` once more each. A get of many
  ///   keys may call `transform` twice for each key, for example if it throws.
  /// - Law: `id <^> a == a`, and `f <^> (g <^> a) == { g(f($0)) } <^> a`. For injective `f`, `f <^>
  ///   (a + b) == f <^> a + f <^> b`. See `keys.distribution`, `keys.identity`, `keys.composition`,
  ///   and `MapKeysLaws`.
  @inlinable
  public func mapKeys<NewKey>(
    _ transform: @escaping @Sendable (NewKey) throws -> Key
  ) -> Cache<NewKey, Value> {
    mapKeys(transform, bulk: { $0.mapKeys(transform) }) { get in
      { key in
        do { return get(try callWithCopy(of: key, transform)) } catch {
          return Promise(error: error)
        }
      }
    }
  }

  /// - Parameter get: A closure that creates the new cache's `get` function. In inlinable
  ///   functions, the compiler can specialize it for concrete types.
  @usableFromInline
  package func mapKeys<NewKey>(
    _ transform: @escaping @Sendable (NewKey) throws -> Key,
    bulk: @escaping BulkTransform<NewKey, Value>,
    get:
      @escaping @Sendable (
        _ get: @escaping @Sendable (Key) -> Promise<Value>
      ) -> @Sendable (NewKey) -> Promise<Value>
  ) -> Cache<NewKey, Value> {
    let isReadOnly = metadata.isReadOnly
    let keys = { @Sendable (key: NewKey) in
      Promise<Key>(catching: { try callWithCopy(of: key, transform) })
    }
    return transforming(
      .mappedKeys(plan), conduct: metadata.conduct, keys: keys,
      source: { $0.mapKeys(keys) }, bulk: bulk
    ) { cache, _ in
      cache.operations.mappingKeys(isReadOnly: isReadOnly, get: get(cache.get), transform)
    }
  }

  /// Returns `cache.mapKeys(transform)`. The operator is pronounced "keyed by".
  ///
  /// - Law: `id <^> a == a` and `f <^> (g <^> a) == { g(f($0)) } <^> a`. See `MapKeysLaws`.
  @inlinable
  public static func <^> <NewKey>(
    transform: @escaping @Sendable (NewKey) throws -> Key, cache: Cache
  ) -> Cache<NewKey, Value> {
    cache.mapKeys(transform)
  }
}
