extension Cache /* : Contravariant in Key */ {
  /// Returns this cache seen through a function from new keys to its own.
  ///
  /// Nothing is copied: the result reads and writes the same storage, under the transformed key.
  /// A function that is not injective lets keys share an entry: map outside a sum then.
  ///
  ///     let pages = \URL.absoluteString <^> disk  // Cache<URL, Data>
  ///     try await pages.value(for: url)  // what disk holds under url.absoluteString
  ///
  /// - Parameter transform: A pure function from the new key to this cache's key, called on the
  ///   caller's thread. If it throws, the call fails with its error and the level is not asked;
  ///   a write of a read-only cache succeeds all the same.
  /// - Complexity: O(1) to build; one call of `transform` for each `get`, `set` and `remove`.
  /// - Law: `f <^> (a + b) == f <^> a + f <^> b` for injective `f`, `id <^> a == a` and
  ///   `f <^> (g <^> a) == (f >>> g) <^> a`: `keys.distribution`, `keys.identity` and
  ///   `keys.composition`; see `MapKeysLaws`.
  @inlinable
  public func mapKeys<NewKey>(
    _ transform: @escaping @Sendable (NewKey) throws -> Key
  ) -> Cache<NewKey, Value> {
    mapKeys(transform) { get in
      { key in
        do { return get(try ask(transform, key)) } catch { return Promise(error: error) }
      }
    }
  }

  /// - Parameter asking: How it is asked: made where the types are known, so that a hit is compiled
  ///   for them.
  @usableFromInline
  func mapKeys<NewKey>(
    _ transform: @escaping @Sendable (NewKey) throws -> Key,
    asking:
      @escaping @Sendable (
        _ get: @escaping @Sendable (Key) -> Promise<Value>
      ) -> @Sendable (NewKey) -> Promise<Value>
  ) -> Cache<NewKey, Value> {
    let (set, remove) = (set, remove)
    return Cache<NewKey, Value>(
      get: asking(get),
      set: { key, value in written(key, through: transform) { set($0, value) } },
      remove: { key in written(key, through: transform, remove) },
      clear: clear, memoryWarning: memoryWarning,
      spine: spine.mappingKeys(
        plan, forget: { [spine] key in if let key = try? transform(key) { spine.forget(key) } },
        reporting: { $0.mapKeys(transform, asking: asking) }))
  }

  /// A write under another key; one that changes nothing succeeds even without a key.
  private func written<NewKey>(
    _ key: NewKey, through transform: (NewKey) throws -> Key, _ write: (Key) -> Promise<Void>
  ) -> Promise<Void> {
    do { return write(try transform(key)) } catch {
      return spine.isReadOnly ? Promise() : Promise(error: error)
    }
  }

  /// "Keyed by": `cache.mapKeys(transform)`.
  ///
  /// - Law: `id <^> a == a` and `f <^> (g <^> a) == (f >>> g) <^> a`; see `MapKeysLaws`.
  @inlinable
  public static func <^> <NewKey>(
    transform: @escaping @Sendable (NewKey) throws -> Key, cache: Cache
  ) -> Cache<NewKey, Value> {
    cache.mapKeys(transform)
  }
}
