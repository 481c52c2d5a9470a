extension Cache {
  /// Returns a cache of plain values, each of which expires a given time after its `set`.
  ///
  /// A get that finds an expired value is a miss, so a sum reads its next level. A value receives
  /// its deadline from the `set` that stores it. Neither a back-fill between the levels of this
  /// cache nor a get through another cache with the same levels changes the deadline. So apply this
  /// verb to the sum of all levels that share one lifetime:
  ///
  ///     let stamped: Cache<String, Stamped<Data>> = .memory() + .memory(capacity: 10_000)
  ///     let pages = stamped.expiring(after: .seconds(60)) + network
  ///
  /// If you added two expiring caches instead, a back-fill would restart the lifetime of the value.
  /// In a sum of stamped levels, an expired value in an upper level would hide a valid value in a
  /// lower level. To prevent this, apply ``aged(atMost:)`` to the upper level.
  ///
  /// The time for which the machine sleeps counts toward the lifetime. Changes of the wall clock
  /// don't affect a running process.
  ///
  /// This method uses the clock of the cache on which it is called. See ``clock``.
  ///
  /// - Parameters:
  ///   - lifetime: The time from the `set` to the deadline. With a lifetime of zero or less, every
  ///     get is a miss. The latest possible deadline is in the year 2262, because times are stored
  ///     as 64-bit counts of nanoseconds since 1970.
  ///   - jitter: The maximum fraction, from 0 to 1, by which the lifetime is randomly shortened.
  ///     With jitter, values that were set at the same time don't all expire at the same time. The
  ///     default is zero.
  /// - Complexity: O(1). Each `set` reads the clock once. Hits read a coarse time of the system's
  ///   clock, because reading the exact time takes longer. If the deadline is at most 10 seconds
  ///   away, the hit also reads the exact time, so deadlines are exact to the nanosecond.
  /// - Law: A cache never returns a value at or after the value's deadline. See `time.deadline`,
  ///   `time.promotion`, and `time.neverExtended`, checked by `TimeLaws`.
  @inlinable
  public func expiring<Plain>(
    after lifetime: Duration, jitter: Double = 0
  ) -> Cache<Key, Plain> where Value == Stamped<Plain> {
    let (clock, bounds) = (clock, Jitter(jitter))
    let arguments = CachePlan.Arguments.after(lifetime, jitter: jitter)
    let lifetime = lifetime.wholeNanoseconds
    return unstamping(
      .expiring, arguments,
      get: { get in Cache.unexpired(clock, get) },
      stamp: { key, value in
        let now = clock.now()
        let lifetime = bounds.shortening(lifetime, of: key.hashValue, at: now)
        return Stamped(
          value, storedAt: now, expiresAt: now.advanced(byNanoseconds: lifetime))
      })
  }

  /// Returns a cache of plain values in which every value expires at `deadline`.
  ///
  /// After the deadline, every get is a miss. For a deadline that changes, such as the next
  /// midnight, use ``expiring(_:)`` with a closure that returns the remaining time.
  ///
  /// - Parameter deadline: The deadline of every value.
  /// - Law: A cache never returns a value at or after the deadline. See `TimeLaws`.
  @inlinable
  public func expiring<Plain>(
    at deadline: TimeSource.Instant
  ) -> Cache<Key, Plain> where Value == Stamped<Plain> {
    let clock = clock
    return unstamping(
      .expiring, ["at": .date(deadline)],
      get: { get in Cache.unexpired(clock, get) },
      stamp: { _, value in Stamped(value, storedAt: clock.now(), expiresAt: deadline) })
  }

  /// Returns a cache of plain values whose lifetimes a closure chooses.
  ///
  ///     let stamped: Cache<String, Stamped<Data>> = .memory()
  ///     let pages = stamped.expiring { key, _ in key.hasPrefix("news/") ? .seconds(60) : nil }
  ///
  /// - Parameter lifetime: A closure that returns the time from the `set` to the deadline, or `nil`
  ///   for no deadline. Gets never return a value with a lifetime of zero or less. The closure runs
  ///   once for each `set` and each back-fill, on the thread of that operation.
  /// - Law: `a.expiring { _, _ in nil }` returns exactly the entries that `a` stores. See
  ///   `time.entries`, checked by `TimeLaws`.
  @inlinable
  public func expiring<Plain>(
    _ lifetime: @escaping @Sendable (Key, Plain) -> Duration?
  ) -> Cache<Key, Plain> where Value == Stamped<Plain> {
    let clock = clock
    return unstamping(
      .expiring, [nil: .name("each")],
      get: { get in Cache.unexpired(clock, get) },
      stamp: { key, value in
        Stamped(value, storedAt: clock.now(), lasting: lifetime(key, value))
      })
  }
}

extension CachePlan.Arguments {
  /// Returns the arguments that a plan shows: the lifetime, and the jitter if it isn't zero.
  @usableFromInline
  static func after(_ lifetime: Duration, jitter: Double) -> Self {
    let jitter = Jitter(jitter).fraction
    return jitter > 0
      ? ["after": .duration(lifetime), "jitter": .fraction(jitter)] : ["after": .duration(lifetime)]
  }
}

extension CachePlan.Kind {
  /// The kind of every `expiring` verb in a plan.
  @usableFromInline package static let expiring: Self = "expiring"
}

extension Cache {
  /// Unavailable for values without a stamp.
  @available(
    *, unavailable,
    message: "the levels of a cache that expires store Stamped values: see the article Time"
  )
  @_disfavoredOverload
  public func expiring(after lifetime: Duration, jitter: Double = 0) -> Cache { unavailable() }
}
