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
  let share: Int
  package let clock: TimeSource
  let onEviction: (@Sendable (Key, Value, EvictionCause) -> Void)?

  /// Creates an empty storage. ``Cache/memory(_:onMemoryWarning:)`` creates its level.
  ///
  /// - Parameters:
  ///   - capacity: The maximum number of values, the maximum of their total size, or both. The
  ///     default is ``MemoryCapacity/standard``: 1,000 values, and 64 MiB of data or text.
  ///   - goal: The hit ratio to favor. The default, `objects`, is the fraction of gets that are
  ///     hits. With `bytes`, each get is weighted by the size of its value.
  ///   - clock: The clock of the level, if the values are stamped. The default is the system clock.
  ///   - onEviction: A closure that receives the key, the value, and the cause of each eviction, on
  ///     the thread that caused the eviction. It may use the storage.
  public init(
    capacity: MemoryCapacity<Value> = .standard, favoring goal: HitRatioGoal = .objects,
    clock: TimeSource = .system,
    onEviction: (@Sendable (Key, Value, EvictionCause) -> Void)? = nil
  ) {
    store = MemoryStore(
      capacity: capacity.limit, cost: capacity.measure, favoring: goal,
      expirations: .forStampedValues(clock), isAdjustable: true)
    (arguments, share) = (capacity.arguments, capacity.share)
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
  ///   - clock: The clock of the level, if the values are stamped. The default is the system clock.
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
    (arguments, share) = ([nil: .count(limit)], 1)
    (self.clock, self.onEviction) = (clock, onEviction)
  }

  /// The current size of the storage, and the current counts of the operations on it.
  ///
  /// - Complexity: O(1). Other operations wait at most until a few numbers have been copied.
  public var statistics: MemoryStatistics { store.statistics }

  /// The number of values, including expired values.
  public var count: Int { statistics.count }

  /// The sum of the costs of all values.
  public var cost: Int { store.total }

  /// The maximum sum of costs: a number of values, bytes, or your own unit.
  public var capacity: Int { store.capacity }

  /// The maximum number of values. If the capacity limits both the size and the number, both limits
  /// change in proportion.
  public var countCapacity: Int { store.capacity / share }

  /// Changes the capacity, in the unit in which the storage was created.
  ///
  /// A larger capacity takes effect immediately. For a smaller capacity, this function evicts the
  /// least valuable values, a few at a time, and returns when the remaining values fit. In the
  /// meantime, other threads use the level as before, and ``capacity`` falls in steps. The tables
  /// keep their memory until the next `clear`. Plans still show the original capacity.
  ///
  /// - Complexity: O(*n*) for *n* evicted values, each of which takes about 0.2 µs.
  /// - Law: The cost never exceeds ``capacity``, and a larger capacity evicts nothing. See
  ///   `storage.capacity` in `Laws.storage`, checked by `StorageLaws`.
  public func setCapacity(_ capacity: Int) {
    store.setCapacity(capacity) { onEviction?($0, $1, $2) }
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
