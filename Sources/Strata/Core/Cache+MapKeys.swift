extension Cache /* : Contravariant in Key */ {
  /// Returns this cache with its keys computed from new keys by a function.
  ///
  /// The result reads and writes the same storage under the computed key. If the function isn't
  /// injective, keys share an entry. In that case, map a whole sum, not its levels.
  ///
  ///     let pages = \URL.absoluteString <^> disk  // Cache<URL, Data>
  ///     try await pages.value(for: url)  // the value of disk under url.absoluteString
  ///
  /// - Parameter transform: A pure function from the new key to this cache's key, called on the
  ///   caller's thread. If it throws, the operation fails with its error and doesn't reach the
  ///   level. A write of a read-only cache succeeds even then.
  /// - Complexity: O(1) to build. Each `get`, `set`, and `remove` calls `transform` once.
  /// - Law: `f <^> (a + b) == f <^> a + f <^> b` for injective `f`, `id <^> a == a`, and
  ///   `f <^> (g <^> a) == (f >>> g) <^> a`: `keys.distribution`, `keys.identity`, and
  ///   `keys.composition`. See `MapKeysLaws`.
  @inlinable
  public func mapKeys<NewKey>(
    _ transform: @escaping @Sendable (NewKey) throws -> Key
  ) -> Cache<NewKey, Value> {
    mapKeys(transform) { get in
      { key in
        do { return get(try callWithCopy(of: key, transform)) } catch {
          return Promise(error: error)
        }
      }
    }
  }

  /// - Parameter get: A closure that creates the get. Its caller knows the types, so a hit is
  ///   specialized.
  @usableFromInline
  func mapKeys<NewKey>(
    _ transform: @escaping @Sendable (NewKey) throws -> Key,
    get:
      @escaping @Sendable (
        _ get: @escaping @Sendable (Key) -> Promise<Value>
      ) -> @Sendable (NewKey) -> Promise<Value>
  ) -> Cache<NewKey, Value> {
    let isReadOnly = metadata.isReadOnly
    return transforming(.mappedKeys(plan)) { cache, _ in
      cache.operations.mappingKeys(isReadOnly: isReadOnly, get: get(cache.get), transform)
    }
  }

  /// "Keyed by": `cache.mapKeys(transform)`.
  ///
  /// - Law: `id <^> a == a` and `f <^> (g <^> a) == (f >>> g) <^> a`. See `MapKeysLaws`.
  @inlinable
  public static func <^> <NewKey>(
    transform: @escaping @Sendable (NewKey) throws -> Key, cache: Cache
  ) -> Cache<NewKey, Value> {
    cache.mapKeys(transform)
  }
}
