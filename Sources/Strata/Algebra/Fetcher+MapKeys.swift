extension Fetcher /* : Contravariant in Key */ {
  /// Returns this fetcher seen through a function from new keys to its own.
  ///
  /// - Parameter transform: As for a cache; if it throws, the get fails with its error.
  /// - Law: `(k <^> f) <*> c == k <^> (f <*> c)`; see `MapKeysLaws`.
  @inlinable
  public func mapKeys<NewKey>(
    _ transform: @escaping @Sendable (NewKey) throws -> Key
  ) -> Fetcher<NewKey, Value> {
    Fetcher<NewKey, Value>(cache.mapKeys(transform))
  }

  /// Returns this fetcher seen through a transformer of keys, which may take its time.
  ///
  /// - Parameter transformer: As for a cache; if it fails, the get fails with its error.
  /// - Law: a transformer that answers at once is the function; see `MapKeysLaws`.
  @inlinable
  public func mapKeys<NewKey>(
    _ transformer: Transformer<NewKey, Key>
  ) -> Fetcher<NewKey, Value> {
    Fetcher<NewKey, Value>(cache.mapKeys(transformer))
  }

  /// "Keyed by": `fetcher.mapKeys(transform)`.
  ///
  /// - Law: `(k <^> f) <*> c == k <^> (f <*> c)`; see `MapKeysLaws`.
  @_disfavoredOverload
  @inlinable
  public static func <^> <NewKey>(
    transform: @escaping @Sendable (NewKey) throws -> Key, fetcher: Fetcher
  ) -> Fetcher<NewKey, Value> {
    fetcher.mapKeys(transform)
  }
}
