/// The storage of a memory level, as a handle for its statistics, its keys, and changes of its
/// capacity.
///
/// A level from `.memory(capacity:)` is a black box. To look into the level, to resize it, or to
/// save it before a restart, create the level from a storage instead:
///
///     let storage = MemoryStorage<Int, String>(capacity: 10_000)
///     let names = Cache.memory(storage) + Fetcher { number in "user \(number)" }
///     storage.setCapacity(1_000)        // the least valuable names go
///     print(storage.statistics.hitRatio, storage.hottest(10).map(\.key))
///
/// Copies of a storage share the values, and so do all its levels. You can use a storage on any
/// thread. Its functions run on the caller's thread, and never wait for the work of other threads.
/// Hits cost the same as without the handle.
///
/// A write through the handle is a write to this level alone. Sums don't notice such a write, so
/// the back-fill of a get that is in flight may replace its value. So write through the cache,
/// unless the level is the whole cache.
public struct MemoryStorage<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  package let store: MemoryStore<Key, Value>
  let arguments: CachePlan.Arguments
  private let limits: Lock<MemoryLimits>
  package let clock: TimeSource
  let onEviction: (@Sendable (Key, Value, EvictionCause) -> Void)?

  /// Creates an empty storage. ``Cache/memory(_:onMemoryWarning:)`` creates its level.
  ///
  /// - Parameters:
  ///   - capacity: The maximum number of values, the maximum of their total size, or both. The
  ///     default is ``MemoryCapacity/standard``: 1,000 values, and 64 MiB of data or text.
  ///   - goal: The hit ratio to favor. The default, `objects`, is the fraction of gets that are
  ///     hits. With `bytes`, each get is weighted by the size of its value.
  ///   - clock: The clock of the level, if the values are stamped. By default, it's the system
  ///     clock.
  ///   - onEviction: A closure that receives the key, the value, and the cause of each eviction, on
  ///     the thread that caused the eviction. It may use the storage.
  public init(
    capacity: MemoryCapacity<Value> = .standard, favoring goal: HitRatioGoal = .objects,
    clock: TimeSource = .system,
    onEviction: (@Sendable (Key, Value, EvictionCause) -> Void)? = nil
  ) {
    store = MemoryStore(
      capacity: capacity.limit, cost: capacity.measure, share: capacity.share, favoring: goal,
      expirations: .forStampedValues(clock), isAdjustable: true)
    (arguments, limits) = (capacity.arguments, Lock(capacity.limits))
    (self.clock, self.onEviction) = (clock, onEviction)
  }

  /// Creates an empty storage whose costs depend on the key, and which can pin values.
  ///
  ///     let pages = MemoryStorage<String, String>(costing: 1_000_000) { path, page in
  ///       path == "/" ? 0 : page.utf8.count  // the front page is never evicted
  ///     }
  ///
  /// A value with a cost of zero is *pinned*: the level never evicts it to make room. But a write,
  /// a removal, a `clear`, its deadline, or a memory warning that clears the level removes it.
  /// Pinned values don't count toward the capacity, so their number is limited. When `pins` values
  /// are pinned, a further one costs one and can be evicted.
  ///
  /// - Parameters:
  ///   - limit: The maximum sum of costs. A value that costs more isn't stored, and the old value
  ///     of its key is removed. Zero or less disables the level.
  ///   - pins: The maximum number of pinned values. The default is 1,000.
  ///   - goal: The hit ratio to favor. The default, `objects`, is the fraction of gets that are
  ///     hits. With `bytes`, each get is weighted by the cost of its value.
  ///   - clock: The clock of the level, if the values are stamped. By default, it's the system
  ///     clock.
  ///   - onEviction: A closure that receives the key, the value, and the cause of each eviction, on
  ///     the thread that caused the eviction. It may use the storage.
  ///   - cost: A closure that computes the cost of an entry from its key and its value. It runs
  ///     once for each `set`, on the caller's thread and without a lock. A negative cost counts as
  ///     one.
  public init(
    costing limit: Int, pins: Int = 1_000, favoring goal: HitRatioGoal = .objects,
    clock: TimeSource = .system,
    onEviction: (@Sendable (Key, Value, EvictionCause) -> Void)? = nil,
    cost: @escaping @Sendable (Key, Value) -> Int
  ) {
    store = MemoryStore(
      capacity: limit, cost: nil, favoring: goal, expirations: .forStampedValues(clock),
      keyedCost: cost, pins: pins, isAdjustable: true)
    (arguments, limits) = ([nil: .count(limit)], Lock(MemoryLimits(size: limit)))
    (self.clock, self.onEviction) = (clock, onEviction)
  }

  /// The current size of the storage, and the current counts of the operations on it.
  ///
  /// - Complexity: O(1). Other operations wait at most until a few numbers have been copied.
  public var statistics: MemoryStatistics { store.statistics }

  /// The number of values, including expired values.
  public var count: Int { statistics.count }

  /// The part of ``capacity`` that is in use: the sum of the costs of all values.
  ///
  /// If the capacity limits both the size and the number of values, each value takes at least its
  /// share of the size. So the sum can be more than the total size.
  public var cost: Int { store.total }

  /// The maximum sum of costs: a number of values, bytes, or your own unit.
  public var capacity: Int { store.capacity }

  /// The maximum number of values.
  public var countCapacity: Int { store.capacity / store.share }

  /// Changes the capacity: the number of values, their total size, or both.
  ///
  ///     let pages = MemoryStorage<String, String>()       // 1,000 pages, or at most 64 MiB
  ///     pages.setCapacity(2_000)                          // 2,000 pages, or at most 64 MiB
  ///     pages.setCapacity(.bytes(16 << 20))               // 2,000 pages, or at most 16 MiB
  ///     pages.setCapacity(.bytes(8 << 20).and(count: 500))
  ///
  /// As in `.memory(capacity: 500)`, a number without a unit counts values. A limit that `capacity`
  /// doesn't contain stays as it is.
  ///
  /// A larger capacity takes effect immediately. For a smaller capacity, this function evicts the
  /// least valuable values, a few at a time, and returns when the remaining values fit. In the
  /// meantime, other threads use the level as before, and ``capacity`` falls in steps. The tables
  /// keep their memory until the next `clear`. Plans still show the original capacity.
  ///
  /// - Parameter capacity: The new limits. The storage continues to measure sizes with the closure
  ///   with which it was created.
  /// - Precondition: Sizes can be limited only if the storage was created with a limit of sizes or
  ///   costs. The default storage of data or text was.
  /// - Complexity: O(*n*) for *n* evicted values, each of which takes about 0.2 µs. In a storage
  ///   whose sizes and number are both limited, the sizes of all values are measured again.
  /// - Law: The cost never exceeds ``capacity``, and a larger capacity evicts nothing. See
  ///   `storage.capacity` in `Laws.storage`, checked by `StorageLaws`.
  public func setCapacity(_ capacity: MemoryCapacity<Value>) {
    precondition(
      capacity.limits.size == nil || !store.isCounted,
      "a MemoryStorage with a number of values can't limit sizes: create it with both limits")
    setLimits { limits in
      if let size = capacity.limits.size { limits.size = size }
      if let count = capacity.limits.count { limits.count = count }
    }
  }

  /// Changes the maximum sum of costs, in the unit in which the storage was created. See
  /// ``setCapacity(_:)``.
  ///
  /// Use this method if you compute the cost of each value yourself. In a storage that only counts
  /// values, each value costs one.
  public func setCapacity(cost limit: Int) {
    setLimits { if store.isCounted { $0.count = limit } else { $0.size = limit } }
  }

  private func setLimits(_ change: (inout MemoryLimits) -> Void) {
    let isOther = limits.withLock { limits in
      change(&limits)
      return store.begin(limits)
    }
    let report: (Key, Value, EvictionCause) -> Void = { onEviction?($0, $1, $2) }
    if isOther { store.recomputeCosts(then: report) }
    store.settleCapacity(then: report)
  }
}

extension Cache {
  /// Returns the memory level of a storage.
  ///
  ///     let storage = MemoryStorage<Int, String>(capacity: .cost(1_000_000) { $0.utf8.count })
  ///     let names = Cache.memory(storage) + Fetcher { number in "user \(number)" }
  ///
  /// - Parameters:
  ///   - storage: The storage, with its values and its capacity.
  ///   - onMemoryWarning: The response to a memory warning. By default, it evicts everything.
  /// - Complexity: The same as for ``memory(capacity:favoring:onMemoryWarning:onEviction:)``. A hit
  ///   executes the same instructions. A `set` also marks its key as written, which takes a
  ///   nanosecond or two.
  /// - Law: The level satisfies `Laws.level`. See `LevelLaws.testMemoryWithAHandle`.
  @inlinable
  public static func memory(
    _ storage: MemoryStorage<Key, Value>, onMemoryWarning: MemoryWarningResponse = .clear
  ) -> Cache {
    let level = memory(
      storage.sharedStore, onMemoryWarning, storage.report,
      metadata: { storage.metadata($0) })
    return storage.levelClock.map { level.clocked(by: $0) } ?? level
  }
}

extension MemoryStorage {
  @usableFromInline var sharedStore: MemoryStore<Key, Value> { store }
  @usableFromInline var report: (@Sendable (Key, Value, EvictionCause) -> Void)? { onEviction }

  /// The clock of the level, or `nil` if the values aren't stamped.
  @usableFromInline var levelClock: TimeSource? { store.expirations == nil ? nil : clock }

  @usableFromInline
  func metadata(
    _ rebuild:
      @escaping @Sendable (
        @escaping @Sendable (Key, Value, EvictionCause) -> Void
      ) -> Cache<Key, Value>
  ) -> CacheMetadata<Key, Value> { .memory(arguments, rebuild) }
}
