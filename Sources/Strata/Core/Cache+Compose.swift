extension Cache /* : Monoid */ {
  /// Returns this cache with another cache below it.
  ///
  /// A get reads this cache, and then `lower` if this one misses or fails. The sum returns a value
  /// found below immediately, and writes it into this cache in the background. `set`, `remove`, and
  /// `clear` reach both caches and settle when both have settled. If both fail, the result is the
  /// error of the upper cache. A cancelled write still runs to its end.
  ///
  ///     let pages = memory + disk + network  // memory.backed(by: disk).backed(by: network)
  ///
  /// Cancelling a get stops it in the level that it has reached, without a back-fill. If both
  /// caches fail a get, a failure outranks a miss, and of equal errors the sum reports the lower
  /// cache's error. A get that overlaps a write of its key doesn't back-fill, so the later write
  /// wins. In each level, the writes of one key wait for each other.
  ///
  /// - Complexity: O(n) to build for n members. A hit in the upper cache takes one more atomic
  ///   load.
  /// - Law: `.empty + a == a == a + .empty` and `(a + b) + c == a + (b + c)`:
  ///   `monoid.associativity`, `sum.backFill`, `sum.laterWriteWins` and more of `Laws.monoid` and
  ///   `Laws.sum`. See `ComposeLaws`.
  @inlinable
  public func backed(by lower: Cache) -> Cache {
    sum(with: lower, get: { sum in { key in sum.get(key) } })
  }

  /// Returns this cache with a read-only cache below it. See ``backed(by:)-(Cache<Key,Value>)``.
  ///
  /// A write of the sum reaches this cache, and has no effect on `lower`.
  ///
  /// - Law: `a + (f + g) == (a + f) + g`. See `ComposeLaws`.
  @inlinable
  public func backed(by lower: Fetcher<Key, Value>) -> Cache { backed(by: lower.cache) }

  /// "Over": `upper.backed(by: lower)`.
  ///
  /// - Law: `.empty + a == a == a + .empty` and `(a + b) + c == a + (b + c)`. See `ComposeLaws`.
  @inlinable
  public static func + (upper: Cache, lower: Cache) -> Cache { upper.backed(by: lower) }

  /// "Over": `upper.backed(by: lower)`.
  ///
  /// - Law: `a + (f + g) == (a + f) + g`. See `ComposeLaws`.
  @inlinable
  public static func + (upper: Cache, lower: Fetcher<Key, Value>) -> Cache {
    upper.backed(by: lower)
  }

  /// The cache that never stores a value: the identity of `+`.
  ///
  ///     let all = [memory, disk].reduce(.empty, +)  // memory + disk
  ///
  /// - Law: `.empty + a == a == a + .empty`, even for errors: `monoid.identityAbove`,
  ///   `monoid.identityBeneath`. See `ComposeLaws`.
  public static var empty: Cache {
    Cache(
      get: { _ in .miss }, set: { _, _ in Promise() }, remove: { _ in Promise() },
      clear: { Promise() }, memoryWarning: {},
      metadata: CacheMetadata(plan: .empty, isEmpty: true, isReadOnly: true))
  }
}
