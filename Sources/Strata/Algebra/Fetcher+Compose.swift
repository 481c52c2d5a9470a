extension Fetcher /* : Semigroup */ {
  /// Returns this fetcher with another one asked after it.
  ///
  /// - Law: `(f + g) + a == f + (g + a)`; see `ComposeLaws`.
  @inlinable
  public func backed(by lower: Fetcher) -> Fetcher { Fetcher(cache.backed(by: lower.cache)) }

  /// Returns this fetcher with a cache asked after it, which alone is written to.
  ///
  /// What is set is hidden by this fetcher wherever that has an answer of its own.
  ///
  /// - Law: `f + (a + b) == (f + a) + b` and `f + .empty == f.cache`; see `ComposeLaws`.
  @inlinable
  public func backed(by lower: Cache<Key, Value>) -> Cache<Key, Value> {
    cache.backed(by: lower)
  }

  /// "Over": `upper.backed(by: lower)`.
  ///
  /// - Law: `(f + g) + a == f + (g + a)`; see `ComposeLaws`.
  @_disfavoredOverload
  @inlinable
  public static func + (upper: Fetcher, lower: Fetcher) -> Fetcher { upper.backed(by: lower) }

  /// "Over": `upper.backed(by: lower)`.
  ///
  /// - Law: `f + (a + b) == (f + a) + b` and `f + .empty == f.cache`; see `ComposeLaws`.
  @_disfavoredOverload
  @inlinable
  public static func + (upper: Fetcher, lower: Cache<Key, Value>) -> Cache<Key, Value> {
    upper.backed(by: lower)
  }
}
