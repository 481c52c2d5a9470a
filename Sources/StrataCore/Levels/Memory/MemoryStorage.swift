/// The storage of a memory level: a handle with statistics, a capacity that can change, and the keys.
///
/// A level made by `.memory(capacity:)` is a black box. Make it from a storage instead if a program
/// must look into it, resize it, or save it before a restart:
///
///     let storage = MemoryStorage<Int, String>(capacity: 10_000)
///     let names = Cache.memory(storage) + Fetcher { number in "user \(number)" }
///     storage.setCapacity(1_000)        // the least valuable names go
///     print(storage.statistics.hitRatio, storage.hottest(10).map(\.key))
///
/// Copies share the values, and so do all levels of a storage. You can use it from any thread: its
/// functions run on the caller's thread and never wait for the work of others. A hit costs the same
/// as without the handle.
///
/// A write through the handle is a write to this level alone. A sum doesn't know of it, so the
/// back-fill of a get that is running may replace its value. Write through the cache unless the level
/// is used alone.
public struct MemoryStorage<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  let store: MemoryStore<Key, Value>
  let arguments: CachePlan.Arguments
  let share: Int
  package let clock: TimeSource
  let onEviction: (@Sendable (Key, Value, EvictionCause) -> Void)?

  /// Creates an empty storage. ``Cache/memory(_:onMemoryWarning:)`` makes its level.
  ///
  /// - Parameters:
  ///   - capacity: The maximum number of values, their maximum size, or both. The default is
  ///     ``MemoryCapacity/standard``: 1,000 values, and 64 MiB of data or text.
  ///   - goal: The hit ratio to favor: the fraction of gets that are hits (`objects`, the default),
  ///     or the same fraction with each get weighted by the size of its value (`bytes`).
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

  /// Creates an empty storage with costs that depend on the key, and with values that stay.
  ///
  ///     let pages = MemoryStorage<String, String>(costing: 1_000_000) { path, page in
  ///       path == "/" ? 0 : page.utf8.count  // the front page is never evicted
  ///     }
  ///
  /// A value with a cost of zero is *pinned*: only a write, a removal, a `clear`, its deadline, or a
  /// memory warning that clears the level removes it. Pinned values don't count towards the capacity,
  /// so their number is limited. If `pins` values are pinned, a further one costs one and can be
  /// evicted.
  ///
  /// - Parameters:
  ///   - limit: The maximum sum of costs. What costs more isn't stored, and the old value of its key
  ///     is removed. Zero or less disables the level.
  ///   - pins: The maximum number of pinned values. The default is 1,000.
  ///   - goal: The hit ratio to favor: the fraction of gets that are hits (`objects`, the default),
  ///     or the same fraction with each get weighted by the cost of its value (`bytes`).
  ///   - clock: The clock of the level, if the values are stamped. The default is the system clock.
  ///   - onEviction: A closure that receives the key, the value, and the cause of each eviction, on
  ///     the thread that caused the eviction. It may use the storage.
  ///   - cost: A closure that returns the cost of a value for its key. Below zero, it counts as one.
  ///     It's called once per `set`, on the caller's thread. No lock is held.
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

  /// The size of the storage, and counts of the operations on it, at this moment.
  ///
  /// - Complexity: O(1). Other operations wait for the copy of a few numbers at most.
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
  /// Growing takes effect immediately. Shrinking evicts the values that the policy considers least
  /// valuable, a few at a time, and returns when the rest fits. In the meantime, other threads use
  /// the level as before, and ``capacity`` falls in steps. In plans, a cache shows its original
  /// capacity. The tables keep their memory until the next `clear`.
  ///
  /// - Complexity: O(*n*) in the number of evicted values. About 0.2 µs for each.
  /// - Law: The cost never exceeds ``capacity``, and a value that fits survives growing. See
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
  ///   - storage: The values, and the capacity.
  ///   - onMemoryWarning: The response to a memory warning. By default, it evicts everything.
  /// - Complexity: That of ``memory(capacity:favoring:onMemoryWarning:onEviction:)``. A hit takes the
  ///   same instructions. A `set` also marks its key as written, in a nanosecond or two.
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
