extension Cache {
  /// Returns a cache of plain values that expire some time after they are set.
  ///
  /// A get of an expired value is a miss, so a sum reads the next level. A `set` determines the
  /// deadline of its value. A back-fill, or another cache over the same levels, doesn't change the
  /// deadline. Apply this verb to the sum of the levels that share one lifetime:
  ///
  ///     let stamped: Cache<String, Stamped<Data>> = .memory() + .memory(capacity: 10_000)
  ///     let pages = stamped.expiring(after: .seconds(60)) + network
  ///
  /// In a sum of two caches that both stamp values, a back-fill restarts the lifetime. An expired
  /// value in an upper level hides a valid value below it, unless ``maxAge(_:)`` limits the upper
  /// level. Time during which the machine sleeps counts toward the lifetime. Changing the wall
  /// clock has no effect on a running process.
  ///
  /// The verb uses the clock of the levels. See ``clock``.
  ///
  /// - Parameters:
  ///   - lifetime: The time from the `set` to the deadline. A value with a lifetime of zero or less
  ///     is never returned. The latest possible deadline is in the year 2262.
  ///   - jitter: The maximum fraction, from 0 to 1, by which the lifetime is randomly shortened, so
  ///     values set together don't expire together. The default is zero.
  /// - Complexity: O(1). Each `set` reads the clock once. A hit on the system's clock reads a coarse
  ///   time, and in the last 10 seconds before the deadline the clock itself. So the deadline is exact
  ///   to the nanosecond.
  /// - Law: a cache never returns a value at or after its deadline: `time.deadline`,
  ///   `time.promotion`, `time.neverExtended`. See `TimeLaws`.
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

  /// Returns a cache of plain values that all expire at the same time.
  ///
  /// After that time, every get is a miss. For a deadline that changes, such as the next midnight,
  /// return the remaining time from the closure of ``expiring(_:)``.
  ///
  /// - Parameter deadline: The deadline of every value.
  /// - Law: the same laws as for ``expiring(after:jitter:)``. See `TimeLaws`.
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

  /// Returns a cache of plain values, each with its own lifetime.
  ///
  ///     let stamped: Cache<String, Stamped<Data>> = .memory()
  ///     let pages = stamped.expiring { key, _ in key.hasPrefix("news/") ? .seconds(60) : nil }
  ///
  /// - Parameter lifetime: A closure that returns the time from the `set` to the deadline, or `nil`
  ///   for no deadline. A value with a lifetime of zero or less is never returned. Called once for
  ///   each `set` and each back-fill, on the thread of that write.
  /// - Law: `expiring { _, _ in nil }` returns exactly the stored entries: `time.entries`. See
  ///   `TimeLaws`.
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
  /// Returns the lifetime as an argument, and also the jitter unless it's zero.
  @usableFromInline
  static func after(_ lifetime: Duration, jitter: Double) -> Self {
    jitter > 0
      ? ["after": .duration(lifetime), "jitter": .fraction(jitter)] : ["after": .duration(lifetime)]
  }
}

extension CachePlan.Kind {
  /// The kind of all overloads of `expiring`.
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
