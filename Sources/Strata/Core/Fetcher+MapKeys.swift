extension Fetcher /* : Contravariant in Key */ {
  /// Returns this fetcher with its keys computed from new keys by a function.
  ///
  /// - Parameter transform: A pure function from the new key to this fetcher's key. Called once per
  ///   get, on the caller's thread. If it throws, the get fails with its error.
  /// - Law: `(k <^> f) <*> c == k <^> (f <*> c)`. See `MapKeysLaws`.
  @inlinable
  public func mapKeys<NewKey>(
    _ transform: @escaping @Sendable (NewKey) throws -> Key
  ) -> Fetcher<NewKey, Value> {
    Fetcher<NewKey, Value>(cache.mapKeys(transform))
  }

  /// Returns this fetcher with its keys computed from new keys by a transformer.
  ///
  /// - Parameter transformer: A transformer from the new key to this fetcher's key. Called once per
  ///   get, on the caller's thread. If it fails, the get fails with its error.
  /// - Law: a synchronous transformer equals the function. See `MapKeysLaws`.
  @inlinable
  public func mapKeys<NewKey>(
    _ transformer: Transformer<NewKey, Key>
  ) -> Fetcher<NewKey, Value> {
    Fetcher<NewKey, Value>(cache.mapKeys(transformer))
  }

  /// "Keyed by": `fetcher.mapKeys(transform)`.
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
