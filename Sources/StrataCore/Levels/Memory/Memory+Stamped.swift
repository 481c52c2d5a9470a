import Foundation

extension Cache {
  /// Returns a bounded in-memory level that stores stamped values and uses the given clock.
  ///
  /// The level rejects a value that has expired, or whose creation time is more than 60 seconds in
  /// the future. A `set` of such a value removes the key's old value. But gets of the level don't
  /// check deadlines. Instead, a verb around the level does, such as `expiring`. Each `set` evicts
  /// and reports up to 16 expired entries.
  ///
  ///     let (clock, time) = TimeSource.manual()
  ///     let level: Cache<String, Stamped<Data>> = .memory(clock: clock)
  ///     let pages = level.expiring(after: .seconds(60))
  ///
  /// - Parameters:
  ///   - capacity: The maximum number of values, the maximum of their total size, or both. The
  ///     default is ``MemoryCapacity/standard``: 1,000 values, and 64 MiB of data or text.
  ///   - goal: The hit ratio to favor. The default, `objects`, is the fraction of gets that are
  ///     hits. With `bytes`, each get is weighted by the size of its value. The goal has no effect
  ///     if the capacity only counts values.
  ///   - onMemoryWarning: The response to a memory warning. By default, it evicts everything.
  ///   - clock: The clock for the level and for verbs applied to the level.
  ///   - onEviction: A closure that receives the key, the value, and the cause of each eviction, on
  ///     the thread that caused the eviction. It may use the cache.
  /// - Complexity: O(1) for `get`, `set`, and `remove`. An entry with a deadline takes 12
  ///   additional bytes.
  /// - Law: The level satisfies `Laws.level`, for example `level.reading` and `level.capacity`. See
  ///   `LevelLaws.testMemory` and `MemoryStampedTests`.
  @inlinable
  public static func memory<Plain>(
    capacity: MemoryCapacity<Value> = .standard, favoring goal: HitRatioGoal = .objects,
    onMemoryWarning: MemoryWarningResponse = .clear, clock: TimeSource,
    onEviction: (@Sendable (Key, Value, EvictionCause) -> Void)? = nil
  ) -> Cache where Value == Stamped<Plain> {
    let store = MemoryStore<Key, Value>(
      capacity: capacity.limit, cost: capacity.measure, share: capacity.share, favoring: goal,
      expirations: ExpirationTracker(clock.now) { ($0.storedAt, $0.expiresAt) })
    return memory(store, onMemoryWarning, onEviction, metadata: { .memory(capacity, $0) })
      .clocked(by: clock)
  }

  /// Returns a bounded in-memory level whose stamped values also expire when the duration `idle`
  /// has passed without a hit.
  ///
  /// A get of an expired entry is a miss. Each `set` evicts and reports up to 16 expired entries.
  ///
  ///     let images: Cache<URL, Stamped<Data>> = .memory(expiringAfterAccess: .seconds(600))
  ///
  /// - Parameters:
  ///   - capacity: The maximum number of values, the maximum of their total size, or both. The
  ///     default is ``MemoryCapacity/standard``: 1,000 values, and 64 MiB of data or text.
  ///   - goal: The hit ratio to favor. The default, `objects`, is the fraction of gets that are
  ///     hits. With `bytes`, each get is weighted by the size of its value. The goal has no effect
  ///     if the capacity only counts values.
  ///   - onMemoryWarning: The response to a memory warning. By default, it evicts everything.
  ///   - idle: The time without a hit after which an entry expires. A hit restarts this time, but
  ///     doesn't extend the deadline of the stamped value. Zero or less means that every entry
  ///     expires immediately.
  ///   - clock: The clock for the level and for verbs applied to the level. By default, it's the
  ///     system clock.
  ///   - onEviction: A closure that receives the key, the value, and the cause of each eviction, on
  ///     the thread that caused the eviction. It may use the cache.
  /// - Complexity: O(1). In addition, a hit reads the clock once, and a `set` allocates one object.
  /// - Law: A get is a miss if the entry had no hit for the duration `idle`. See
  ///   `IdleTrackedTests.testAnEntryWithoutAccessExpires`.
  @inlinable
  public static func memory<Plain>(
    capacity: MemoryCapacity<Value> = .standard, favoring goal: HitRatioGoal = .objects,
    onMemoryWarning: MemoryWarningResponse = .clear, expiringAfterAccess idle: Duration,
    clock: TimeSource = .system,
    onEviction: (@Sendable (Key, Value, EvictionCause) -> Void)? = nil
  ) -> Cache where Value == Stamped<Plain> {
    let idle = idle.wholeNanoseconds
    let tracked = MemoryCapacity<IdleTracked<Plain>>(like: capacity) { $0.stamped }
    let store = MemoryStore<Key, IdleTracked<Plain>>(
      capacity: tracked.limit, cost: tracked.measure, share: tracked.share, favoring: goal,
      expirations: ExpirationTracker(clock.now) {
        ($0.stamped.storedAt, $0.expiration(after: idle))
      })
    var report: (@Sendable (Key, IdleTracked<Plain>, EvictionCause) -> Void)?
    if let onEviction { report = { key, value, cause in onEviction(key, value.stamped, cause) } }
    let level = Cache<Key, IdleTracked<Plain>>.memory(
      store, onMemoryWarning, report, metadata: { .memory(tracked, $0) })
    return level.unwrappingIdleTracked(after: idle, on: clock).clocked(by: clock)
  }
}
