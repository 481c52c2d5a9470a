extension Cache /* : Monoid */ {
  /// Returns this cache with another cache below it.
  ///
  /// A get reads this cache, and then `lower` if this cache misses or fails. If `lower` has the
  /// value, the sum returns it immediately, and writes it into this cache in the background. `set`,
  /// `remove`, and `clear` reach both caches, and their promises settle when both caches have
  /// settled the operation. If both caches fail to write, the sum reports this cache's error. A
  /// cancelled write still runs to completion.
  ///
  ///     let pages = memory + disk + network  // memory.backed(by: disk).backed(by: network)
  ///
  /// Cancelling a get stops it at its current level, and no value is written into the levels above.
  /// If neither cache has a value, the sum reports the error with the higher rank. A failure
  /// outranks a miss. If both errors have the same rank, the sum reports the error of `lower`. A
  /// get that overlaps a write of the same key doesn't write its value into this cache, because the
  /// get may have read an older value. In each level, the writes of one key run one after another.
  ///
  /// - Complexity: O(n) to build a sum of n members. A hit in this cache takes one additional
  ///   atomic load.
  /// - Law: `.empty + a == a == a + .empty` and `(a + b) + c == a + (b + c)`. See
  ///   `monoid.associativity`, `sum.backFill`, `sum.laterWriteWins`, the other laws of
  ///   `Laws.monoid` and `Laws.sum`, and `ComposeLaws`.
  @inlinable
  public func backed(by lower: Cache) -> Cache {
    sum(with: lower, get: { sum in { key in sum.get(key) } })
  }

  /// Returns this cache with a read-only cache below it. See ``backed(by:)-(Cache<Key,Value>)``.
  ///
  /// A write to the sum reaches this cache, and has no effect on `lower`.
  ///
  /// - Law: `a + (f + g) == (a + f) + g`. See `ComposeLaws`.
  @inlinable
  public func backed(by lower: Fetcher<Key, Value>) -> Cache { backed(by: lower.cache) }

  /// Returns `upper.backed(by: lower)`. The operator is pronounced "over".
  ///
  /// - Law: `.empty + a == a == a + .empty` and `(a + b) + c == a + (b + c)`. See `ComposeLaws`.
  @inlinable
  public static func + (upper: Cache, lower: Cache) -> Cache { upper.backed(by: lower) }

  /// Returns `upper.backed(by: lower)`. The operator is pronounced "over".
  ///
  /// - Law: `a + (f + g) == (a + f) + g`. See `ComposeLaws`.
  @inlinable
  public static func + (upper: Cache, lower: Fetcher<Key, Value>) -> Cache {
    upper.backed(by: lower)
  }

  /// A cache that never stores a value. This cache is the identity of `+`.
  ///
  ///     let all = [memory, disk].reduce(.empty, +)  // memory + disk
  ///
  /// - Law: `.empty + a == a == a + .empty`, including the errors of `a`. See
  ///   `monoid.identityAbove`, `monoid.identityBeneath`, and `ComposeLaws`.
  public static var empty: Cache {
    Cache(
      get: { _ in .miss }, set: { _, _ in Promise() }, remove: { _ in Promise() },
      clear: { Promise() }, memoryWarning: {},
      metadata: CacheMetadata(plan: .empty, isEmpty: true, isReadOnly: true))
  }
}
