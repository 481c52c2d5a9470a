extension Fetcher /* : Semigroup */ {
  /// Returns this fetcher with another fetcher below it.
  ///
  /// A get calls this fetcher first, and calls `lower` only if this fetcher misses or fails.
  ///
  /// - Law: `(f + g) + a == f + (g + a)`. See `ComposeLaws`.
  @inlinable
  public func backed(by lower: Fetcher) -> Fetcher { Fetcher(cache.backed(by: lower.cache)) }

  /// Returns this fetcher with a cache below it.
  ///
  /// Writes reach only `lower`. A get reads `lower` only if this fetcher misses or fails.
  ///
  /// - Law: `f + (a + b) == (f + a) + b` and `f + .empty == f.cache`. See `ComposeLaws`.
  @inlinable
  public func backed(by lower: Cache<Key, Value>) -> Cache<Key, Value> {
    cache.backed(by: lower)
  }

  /// Returns `upper.backed(by: lower)`. The operator is pronounced "over".
  ///
  /// - Law: `(f + g) + a == f + (g + a)`. See `ComposeLaws`.
  @_disfavoredOverload
  @inlinable
  public static func + (upper: Fetcher, lower: Fetcher) -> Fetcher { upper.backed(by: lower) }

  /// Returns `upper.backed(by: lower)`. The operator is pronounced "over".
  ///
  /// - Law: `f + (a + b) == (f + a) + b` and `f + .empty == f.cache`. See `ComposeLaws`.
  @_disfavoredOverload
  @inlinable
  public static func + (upper: Fetcher, lower: Cache<Key, Value>) -> Cache<Key, Value> {
    upper.backed(by: lower)
  }
}
