extension Fetcher /* : Contravariant in Key */ {
  /// Returns a fetcher that uses a function to convert its keys to the keys of this fetcher.
  ///
  /// - Parameter transform: A pure function that converts a new key to a key of this fetcher.
  ///   Called once per get, on the caller's thread. If the function throws, the get fails with that
  ///   error.
  /// - Law: `(k <^> f) <*> c == k <^> (f <*> c)`. See `MapKeysLaws`.
  @inlinable
  public func mapKeys<NewKey>(
    _ transform: @escaping @Sendable (NewKey) throws -> Key
  ) -> Fetcher<NewKey, Value> {
    Fetcher<NewKey, Value>(cache.mapKeys(transform))
  }

  /// Returns a fetcher that uses a transformer to convert its keys to the keys of this fetcher.
  ///
  /// - Parameter transformer: A transformer that converts a new key to a key of this fetcher.
  ///   Called once per get, on the caller's thread. If the transformer fails, the get fails with
  ///   that error.
  /// - Law: `a.mapKeys(Transformer(f)) == a.mapKeys(f)` for any synchronous function `f`. See
  ///   `MapKeysLaws`.
  @inlinable
  public func mapKeys<NewKey>(
    _ transformer: Transformer<NewKey, Key>
  ) -> Fetcher<NewKey, Value> {
    Fetcher<NewKey, Value>(cache.mapKeys(transformer))
  }

  /// Returns `fetcher.mapKeys(transform)`. The operator is pronounced "keyed by".
  ///
  /// - Law: `(k <^> f) <*> c == k <^> (f <*> c)`. See `MapKeysLaws`.
  @_disfavoredOverload
  @inlinable
  public static func <^> <NewKey>(
    transform: @escaping @Sendable (NewKey) throws -> Key, fetcher: Fetcher
  ) -> Fetcher<NewKey, Value> {
    fetcher.mapKeys(transform)
  }
}
