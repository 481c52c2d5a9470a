extension Cache /* : Monoid */ {
  /// Returns this cache with another one beneath it.
  ///
  /// A get asks this cache, and then `lower` if this one misses or fails; a value found below is
  /// delivered at once and written into this cache meanwhile. `set`, `remove` and `clear` reach
  /// both, settle when both have, and fail with the upper failure; cancelled or not, they run to
  /// the end.
  ///
  ///     let pages = memory + disk + network  // memory.backed(by: disk).backed(by: network)
  ///
  /// Cancelling a get stops it, in whatever level it is; nothing is back-filled then. When both
  /// fail, the error that says more stays: a failure outranks a miss, and of equals the lower
  /// one's. A get that meets a write of its key does not back-fill, so that a later write wins.
  /// Writes of one key wait for each other in each level: one that never settles holds its key up.
  ///
  /// - Complexity: O(n) to build for n members. A hit in the upper cache costs it one atomic load.
  /// - Law: `.empty + a == a == a + .empty` and `(a + b) + c == a + (b + c)`:
  ///   `monoid.associativity`, `sum.backFill`, `sum.laterWriteWins` and others of `Laws.monoid` and
  ///   `Laws.sum`; see `ComposeLaws`.
  @inlinable
  public func backed(by lower: Cache) -> Cache {
    sum(with: lower) { sum in { key in sum.get(key) } }
  }

  /// Returns this cache with a read-only one beneath it; see ``backed(by:)-(Cache<Key,Value>)``.
  ///
  /// A write of the sum is one of this cache: for `lower` it succeeds and changes nothing.
  ///
  /// - Law: `a + (f + g) == (a + f) + g`; see `ComposeLaws`.
  @inlinable
  public func backed(by lower: Fetcher<Key, Value>) -> Cache { backed(by: lower.cache) }

  /// "Over": `upper.backed(by: lower)`.
  ///
  /// - Law: `.empty + a == a == a + .empty` and `(a + b) + c == a + (b + c)`; see `ComposeLaws`.
  @inlinable
  public static func + (upper: Cache, lower: Cache) -> Cache { upper.backed(by: lower) }

  /// "Over": `upper.backed(by: lower)`.
  ///
  /// - Law: `a + (f + g) == (a + f) + g`; see `ComposeLaws`.
  @inlinable
  public static func + (upper: Cache, lower: Fetcher<Key, Value>) -> Cache {
    upper.backed(by: lower)
  }

  /// The cache that holds nothing and keeps nothing: the identity of `+`.
  ///
  ///     let all = [memory, disk].reduce(.empty, +)  // memory + disk
  ///
  /// - Law: `.empty + a == a == a + .empty`, for errors too: `monoid.identityAbove`,
  ///   `monoid.identityBeneath`; see `ComposeLaws`.
  public static var empty: Cache {
    Cache(
      get: { _ in .miss }, set: { _, _ in Promise() }, remove: { _ in Promise() },
      clear: { Promise() }, memoryWarning: {},
      spine: Spine(plan: .level("empty"), isEmpty: true, isReadOnly: true))
  }
}
