/// The properties of a cache, except for its operations.
///
/// It's a class, so copying a cache copies only a reference.
@usableFromInline
package final class CacheMetadata<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  package struct Properties: Sendable {
    package var plan: CachePlan
    /// The levels of a sum, or an empty array if the cache isn't a sum.
    package var members: [Member] = []
    /// The member that this cache contributes to a sum, or `nil` if it's this cache itself.
    package var member: Member?
    package var isEmpty = false
    package var isReadOnly = false
    /// The clock that measures the ages of stored values, or `nil` if the cache has no clock.
    package var clock: TimeSource?
    /// The maximum time that a sum waits for one operation of this cache, or `nil` for the default.
    package var awaitedBound: Duration?
    /// The guarantees on which a sum may rely.
    package var conduct = Conduct.ordered
    /// Drops the in-flight load of a key, so later gets of the key start a new load. When the key
    /// is `nil`, drops all in-flight loads.
    package var forget: @Sendable (Key?) -> Void = { _ in }
    /// Passes a change on to the levels below, and returns the changed cache, which shares the
    /// state of this one. Returns `nil` if the change doesn't affect the levels.
    package var rebuilding: (@Sendable (Change) -> Cache<Key, Value>?)?
    /// Returns this cache with another observer, or `nil` if the cache isn't observed.
    package var addingObserver: (@Sendable (CacheObserver) -> Cache<Key, Value>)?
    /// The source of the values of this cache. See `Cache.source`.
    package var source = CacheSource<Key>()
    /// Tickets for back-fills, or `nil` if this cache accepts every back-fill.
    package var tickets: Tickets<Key, Value>?
    /// A way to get many keys together, or `nil` if this cache gets each key separately.
    package var bulk: BulkGet<Key, Value>?
    /// Returns the keys of all stored values. This function is `nil` if a level can't list its
    /// keys.
    package var listing: (@Sendable () -> [Key])?
    /// Returns a value without a trace. This function is `nil` if `get` itself leaves no trace. See
    /// `Cache.peeking`.
    package var peek: (@Sendable (Key) -> Promise<Value>)?
    /// Returns a value that is in memory, as `get` does, or fails without a trace. This function is
    /// `nil` if only a `get` shows whether the value is in memory. Pools call this function first,
    /// because a value in memory needs no load.
    package var hit: (@Sendable (Key) -> Promise<Value>)?
    /// Makes the value of a key stale, or all values if the key is `nil`. This function is `nil` if
    /// this cache has no stale values. See `Cache.expire`.
    package var expire: (@Sendable (Key?) -> Promise<Void>)?
    /// The mode in which gets read the levels.
    package var reads: ReadMode = []
    /// Whether all gets miss because of their mode.
    package var isSkipped = false
    /// Adds the work of this cache, and of the caches below it. See `Cache.drained(atMost:)`.
    package var works: RunningWorks.Visit = { _ in }
  }

  /// A change that passes through verbs and sums.
  package enum Change: Sendable {
    /// The named stages report their events.
    case reporting(Reporter)
    /// Each level without a clock gets this one.
    case clocked(TimeSource)
    /// A sum waits at most for this time for each operation of a level.
    case awaited(Duration)
    /// A sum waits at most for this time for each write of a level. A shorter limit that the level
    /// already has still holds.
    case writesWithin(Duration)
    /// Gets read the levels in another mode.
    case reading(ReadMode)
  }

  package let properties: Properties
  /// Whether writes have no effect. Sums don't back-fill such a cache.
  @usableFromInline package let isReadOnly: Bool

  package init(_ properties: Properties) {
    var properties = properties
    properties.plan = properties.plan.typed(
      CachePlan.Types(key: String(describing: Key.self), value: String(describing: Value.self)))
    self.properties = properties
    isReadOnly = properties.isReadOnly
  }

  package convenience init(
    plan: CachePlan, isReadOnly: Bool = false, conduct: Conduct = .ordered,
    rebuilding: (@Sendable (Change) -> Cache<Key, Value>?)? = nil,
    source: CacheSource<Key> = CacheSource(), works: @escaping RunningWorks.Visit = { _ in }
  ) {
    self.init(
      Properties(
        plan: plan, isReadOnly: isReadOnly, conduct: conduct, rebuilding: rebuilding,
        source: source, works: works))
  }

  /// Returns a copy with changed properties.
  package func with(_ change: (inout Properties) -> Void) -> CacheMetadata {
    var properties = properties
    change(&properties)
    return CacheMetadata(properties)
  }

  /// Returns the metadata of a level that can list its keys.
  @usableFromInline
  func listing(_ keys: @escaping @Sendable () -> [Key]) -> CacheMetadata {
    with { $0.listing = keys }
  }

  package var plan: CachePlan { properties.plan }
  var members: [Member] { properties.members }
  var isEmpty: Bool { properties.isEmpty }
  package var clock: TimeSource? { properties.clock }
  /// The maximum time for which a sum waits for one operation, unless the operation is a load.
  package var bound: Duration { properties.awaitedBound ?? max(.seconds(5), conduct.boundOfLevels) }
  package var conduct: Conduct { properties.conduct }
  package var reads: ReadMode { properties.reads }
  package var forget: @Sendable (Key?) -> Void { properties.forget }
  var source: CacheSource<Key> { properties.source }
  package var tickets: Tickets<Key, Value>? { properties.tickets }
  @usableFromInline package var bulk: BulkGet<Key, Value>? { properties.bulk }
}

extension Cache {
  package typealias Change = CacheMetadata<Key, Value>.Change

  /// Returns this cache with changed levels, or this cache itself if the change affects none of its
  /// levels.
  package func changed(by change: Change) -> Cache {
    if case .reading(let mode) = change { return read(in: mode) }
    let rebuilt = metadata.properties.rebuilding?(change)
    if case .reporting(let reporter) = change, let probe = reporter.probe {
      return (rebuilt ?? self).noting(plan, in: probe)
    }
    if let rebuilt { return rebuilt }
    switch change {
    case .reporting, .writesWithin, .reading: return self
    case .clocked(let clock):
      guard metadata.clock == nil else { return self }
      return with {
        $0.clock = clock
      } again: {
        $0.clocked(by: clock)
      }
    case .awaited(let bound):
      let plan = CachePlan.verb(plan, "awaitedInSum", ["atMost": .duration(bound)])
      return with {
        ($0.plan, $0.awaitedBound) = (plan, bound)
        $0.member = nil
      } again: {
        $0.awaitedInSum(atMost: bound)
      }
    }
  }

  /// Returns this cache with changed properties, without a change for rebuilt caches.
  package func with(_ change: (inout CacheMetadata<Key, Value>.Properties) -> Void) -> Cache {
    Cache(operations, metadata: metadata.with(change))
  }

  /// Returns this cache with changed properties.
  ///
  /// - Parameter again: A closure that makes the same change to a rebuilt cache.
  package func with(
    _ change: (inout CacheMetadata<Key, Value>.Properties) -> Void,
    again: @escaping @Sendable (Cache) -> Cache
  ) -> Cache {
    Cache(
      operations,
      metadata: metadata.with {
        $0.source = self.source
        change(&$0)
        let rebuilding = $0.rebuilding
        $0.rebuilding = { change in rebuilding?(change).map(again) }
        if let adding = $0.addingObserver {
          $0.addingObserver = { observer in again(adding(observer)) }
        }
        $0.tickets = $0.tickets?.mapping(again)
      })
  }

  /// Returns a copy of this cache whose stages report events to `reporter`, or this cache itself if
  /// it has no stages.
  @usableFromInline
  package func reporting(to reporter: Reporter) -> Cache { changed(by: .reporting(reporter)) }
}

extension Cache {
  /// The clock that measures the ages of stored values. Time-based verbs also use this clock.
  ///
  /// A level that stores values with their creation times (``Stamped``) has a clock. For a sum,
  /// it's the clock of the uppermost level that has one, and for a verb, the clock of the cache
  /// below it. Without any clock, this property is the system clock.
  public var clock: TimeSource { metadata.clock ?? .system }

  /// Returns this cache with a clock, which time-based verbs above it use, such as `expiring`. But
  /// a cache that already has a clock keeps it.
  ///
  /// Use this method for levels without a clock, such as a dictionary in a test.
  ///
  ///     let (clock, time) = TimeSource.manual()
  ///     let stamped: Cache<String, Stamped<Int>> = .dictionary().clocked(by: clock)
  ///     let counts = stamped.expiring(after: .seconds(60))  // expires by the test's clock
  ///
  /// - Parameter clock: The clock. Levels that already have one keep it, so a level and the verbs
  ///   applied to it always use the same clock.
  /// - Law: `a.clocked(by: c).clocked(by: d).clock` is `c`. See
  ///   `CacheMetadataTests.testTheFirstClockStays`.
  public func clocked(by clock: TimeSource) -> Cache {
    changed(by: .clocked(clock))
  }
}
