extension Cache /* : Monoid */ {
  /// Returns this cache with another cache below it.
  ///
  /// A get reads this cache first, and reads `lower` only if this cache misses or fails. When the
  /// get finds the value in `lower`, the sum returns it immediately, and writes it into this cache
  /// in the background.
  ///
  /// A `set`, `remove`, or `clear` reaches both caches, and settles when it has settled in both.
  /// When it fails in both, the sum reports the error of this cache. Such a write runs to
  /// completion even if it's cancelled.
  ///
  ///     let pages = memory + disk + network  // memory.backed(by: disk).backed(by: network)
  ///
  /// When neither cache returns a value, the get fails with one of their errors. A failure outranks
  /// a miss. Of two errors with the same rank, the get reports the error of `lower`.
  ///
  /// A cancelled get stops at its current level, and doesn't back-fill this cache. A get that
  /// overlaps a write to its key doesn't either, because it might have read an older value. Both
  /// caches receive the writes to a key in the same order.
  ///
  /// - Complexity: O(n) to build a sum of n members. The sum adds one atomic load to a hit in this
  ///   cache.
  /// - Law: `.empty + a == a == a + .empty` and `(a + b) + c == a + (b + c)`. See
  ///   `monoid.associativity`, `sum.backFill`, `sum.laterWriteWins`, the other laws of
  ///   `Laws.monoid` and `Laws.sum`, and `ComposeLaws`.
  @inlinable
  public func backed(by lower: Cache) -> Cache {
    sum(with: lower, get: { sum in { key in sum.get(key) } })
  }

  /// Returns `upper.backed(by: lower)`. The operator is pronounced "over".
  ///
  /// - Law: `.empty + a == a == a + .empty` and `(a + b) + c == a + (b + c)`. See `ComposeLaws`.
  @inlinable
  public static func + (upper: Cache, lower: Cache) -> Cache { upper.backed(by: lower) }

  /// A cache that never stores a value. It's the identity element of `+`.
  ///
  ///     let all = [memory, disk].reduce(.empty, +)  // memory + disk
  ///
  /// - Law: `.empty + a == a == a + .empty`, including the errors of `a`. See
  ///   `monoid.identityAbove`, `monoid.identityBeneath`, and `ComposeLaws`.
  public static var empty: Cache {
    Cache(
      get: { _ in .miss }, set: { _, _ in Promise() }, remove: { _ in Promise() },
      clear: { Promise() }, memoryWarning: {},
      metadata: CacheMetadata(
        CacheMetadata.Properties(plan: .empty, isEmpty: true, isReadOnly: true)))
  }
}
