extension Cache /* : Monoid */ {
  /// Returns this cache with another cache below it.
  ///
  /// This cache is read first, and `lower` only if this cache misses or fails. When a get finds the
  /// value in `lower`, the sum returns it immediately, and writes it into this cache in the
  /// background.
  ///
  /// A `set`, `remove`, or `clear` reaches both caches, and settles when both have settled. When it
  /// fails in both, the sum reports the error of this cache. Even if it's cancelled, it runs to
  /// completion.
  ///
  ///     let pages = memory + disk + network  // memory.backed(by: disk).backed(by: network)
  ///
  /// If neither cache returns a value, you see one of their errors. A failure outranks a miss, and
  /// between two of the same rank, that of `lower` wins.
  ///
  /// Two gets don't back-fill this cache: one that is cancelled, which stops at its current level,
  /// and one that overlaps a write to its key, because it might have read an older value. Each
  /// level is called with the writes to a key in one order.
  ///
  /// - Complexity: O(n) to build a sum of n members. In this cache, the sum adds one atomic load to
  ///   a hit.
  /// - Law: `.empty + a == a == a + .empty` and `(a + b) + c == a + (b + c)`. See
  ///   `monoid.associativity`, `sum.backFill`, `sum.laterWriteWins`, the other laws of
  ///   `Laws.monoid` and `Laws.sum`, and `ComposeLaws`.
  @inlinable
  public func backed(by lower: Cache) -> Cache {
    sum(with: lower, get: { sum in { key in sum.get(key) } })
  }

  /// Returns `upper.backed(by: lower)`. Say "over".
  ///
  /// - Law: `.empty + a == a == a + .empty` and `(a + b) + c == a + (b + c)`. See `ComposeLaws`.
  @inlinable
  public static func + (upper: Cache, lower: Cache) -> Cache { upper.backed(by: lower) }

  /// A cache that never stores a value: the identity element of `+`.
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
