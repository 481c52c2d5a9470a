/// The properties of a cache, except for its operations.
@usableFromInline
package final class CacheMetadata<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  /// A level of a sum. `Member` is a class, so copying a sum of ten thousand levels copies only
  /// references.
  @usableFromInline
  final class Member: Sendable {
    @usableFromInline let cache: Cache<Key, Value>
    /// The cache from which a sum reads the values of this level. If the level supports leases, a
    /// get that misses in this cache takes a lease. See `LeasedMiss`.
    @usableFromInline let reader: Cache<Key, Value>
    /// Whether this level supports leases. See `LeasedMiss`.
    @usableFromInline let isLeasing: Bool
    /// The maximum time that the sum waits for an operation of this level.
    let bound: Duration
    /// Whether the level is a sum, or a sum with verbs applied. Such a level orders its own
    /// operations and handles its own late writes, so the enclosing sum does neither.
    let isSum: Bool
    /// Whether the time bound also applies to gets.
    let boundsGets: Bool

    init(_ cache: Cache<Key, Value>) {
      self.cache = cache
      reader = cache.metadata.leasing?(.reading) ?? cache
      isLeasing = cache.metadata.leasing != nil
      let patience = cache.metadata.patience
      bound = patience ?? .seconds(5)
      isSum = cache.metadata.plan.node.isSum
      boundsGets =
        patience != nil || !(cache.metadata.isReadOnly || cache.metadata.plan.node.hasOrigin)
    }
  }

  let plan: CachePlan
  /// The levels of a sum, or an empty array if the cache isn't a sum.
  let members: [Member]
  /// The object that orders the operations of a sum, or `nil` if the cache isn't a sum.
  let order: OperationOrder?
  let isEmpty: Bool
  /// Whether writes have no effect. A sum doesn't back-fill a read-only cache.
  @usableFromInline let isReadOnly: Bool
  /// The clock that measures the ages of stored values, or `nil` if the cache has no clock.
  let clock: TimeSource?
  /// The maximum time that a sum waits for one operation of this cache, or `nil` for the default.
  let patience: Duration?
  /// A function that rebuilds a sum with the given members and clock, but with the same state.
  /// `nil` if the cache isn't a sum.
  let rebuilding: (@Sendable ([Member], TimeSource?) -> Cache<Key, Value>)?
  /// Drops the in-flight load of a key, so later gets of the key start a new load. If the key is
  /// `nil`, drops all in-flight loads.
  let forget: @Sendable (Key?) -> Void
  /// A function that rebuilds this cache with the same state, and with stages that report events.
  /// `nil` if the cache has no stages.
  let reporting: (@Sendable (Reporter) -> Cache<Key, Value>)?
  /// A function that returns a variant of this cache. There is one variant for gets, and another
  /// variant for back-fills. A miss of the variant for gets can contain a lease, which is the right
  /// to back-fill a key. The variant for back-fills uses the lease of the preceding get. `nil` if
  /// this cache doesn't support leases.
  let leasing: Leasing?
  /// An object that can request a lease for a key even if this cache has a value for the key. `nil`
  /// if this cache doesn't support such requests.
  let claims: LeaseClaims<Key>?
  /// Where the values come from.
  let source: CacheSource<Key>
  /// A way to get many keys together. `nil` if this cache gets each key separately.
  @usableFromInline let bulk: BulkGet<Key, Value>?

  init(
    plan: CachePlan, members: [Member] = [], order: OperationOrder? = nil, isEmpty: Bool = false,
    isReadOnly: Bool = false, clock: TimeSource? = nil, patience: Duration? = nil,
    rebuilding: (@Sendable ([Member], TimeSource?) -> Cache<Key, Value>)? = nil,
    forget: @escaping @Sendable (Key?) -> Void = { _ in },
    reporting: (@Sendable (Reporter) -> Cache<Key, Value>)? = nil, leasing: Leasing? = nil,
    claims: LeaseClaims<Key>? = nil, source: CacheSource<Key> = CacheSource(),
    bulk: BulkGet<Key, Value>? = nil
  ) {
    self.plan = plan.typed(
      CachePlan.Types(key: String(describing: Key.self), value: String(describing: Value.self)))
    self.members = members
    self.order = order
    self.isEmpty = isEmpty
    self.isReadOnly = isReadOnly
    self.clock = clock
    self.patience = patience
    self.rebuilding = rebuilding
    self.forget = forget
    self.reporting = reporting
    self.leasing = leasing
    self.claims = claims
    self.source = source
    self.bulk = bulk
  }

  /// Returns a copy of this metadata with a bulk get.
  func with(_ bulk: BulkGet<Key, Value>) -> CacheMetadata {
    CacheMetadata(
      plan: plan, members: members, order: order, isEmpty: isEmpty, isReadOnly: isReadOnly,
      clock: clock, patience: patience, rebuilding: rebuilding, forget: forget,
      reporting: reporting, leasing: leasing, claims: claims, source: source, bulk: bulk)
  }
}

extension Cache {
  /// The clock that measures the ages of stored values. Time-based verbs also use this clock.
  ///
  /// A level that stores values with their creation times (``Stamped``) has a clock. A sum uses the
  /// clock of the uppermost level that has a clock, and a verb uses the clock of the cache below
  /// the verb. Caches without a clock use the system clock.
  public var clock: TimeSource { metadata.clock ?? .system }

  /// Returns this cache with a clock. Time-based verbs that are applied to the returned cache, such
  /// as `expiring`, use its clock. A cache that already has a clock keeps that clock.
  ///
  /// Use this method for levels without a clock, such as a dictionary in a test.
  ///
  ///     let (time, clock) = TimeSource.manual()
  ///     let stamped: Cache<String, Stamped<Int>> = .dictionary().clocked(by: time)
  ///     let counts = stamped.expiring(after: .seconds(60))  // expires by the test's clock
  ///
  /// - Parameter clock: The clock. A level that already has a clock keeps that clock, so a level
  ///   and the verbs applied to it always use the same clock.
  /// - Law: `a.clocked(by: c).clocked(by: d).clock` is `c`. See
  ///   `CacheMetadataTests.testTheFirstClockStays`.
  public func clocked(by clock: TimeSource) -> Cache {
    if let rebuilding = metadata.rebuilding {
      return rebuilding(
        metadata.members.map { .init($0.cache.clocked(by: clock)) }, metadata.clock ?? clock)
    }
    return Cache(
      operations,
      metadata: CacheMetadata(
        plan: metadata.plan, isEmpty: metadata.isEmpty, isReadOnly: metadata.isReadOnly,
        clock: metadata.clock ?? clock, patience: metadata.patience, forget: metadata.forget,
        reporting: { reporting(to: $0).clocked(by: clock) },
        leasing: metadata.leasingRebuilt { $0.clocked(by: clock) }, claims: metadata.claims,
        source: source, bulk: metadata.bulk))
  }
}
