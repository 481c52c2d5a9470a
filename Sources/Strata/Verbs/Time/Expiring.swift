extension Cache {
  /// Returns a cache of plain values that expire some time after they are set.
  ///
  /// An expired value is a miss, so in a sum the level below answers. A `set` fixes the deadline of
  /// its entry. A back-fill, or another pipeline over the same levels, doesn't move the deadline.
  /// So add the levels that share an age before this verb:
  ///
  ///     let stamped: Cache<String, Stamped<Data>> = .memory() + .memory(capacity: 10_000)
  ///     let pages = stamped.expiring(after: .seconds(60)) + network
  ///
  /// In a sum of two caches that both stamp values, a back-fill restarts the age. An expired entry
  /// in an upper level hides a valid one below it, unless ``maxAge(_:)`` bounds the upper level.
  /// Time during which the machine sleeps counts. A change of the wall clock has no effect on a
  /// running process.
  ///
  /// Levels of stamped values determine the clock. See ``clock``.
  ///
  /// - Parameters:
  ///   - lifetime: The time from the `set` to the deadline. A value with a lifetime of zero or less
  ///     is never returned. A deadline after the year 2262 becomes the end of that year.
  ///   - jitter: The fraction, from 0 to 1, by which chance may shorten the lifetime, so values set
  ///     together don't expire together. The default is zero.
  /// - Complexity: O(1). Each `set` reads the clock once. A hit on the system's clock reads a coarse
  ///   time, and in the last 10 seconds before its deadline the clock itself. So the deadline is exact
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
  /// After that time, the cache returns no values. For a moving deadline, such as the next
  /// midnight, return the remaining time from the closure of ``expiring(_:)``.
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
  /// - Parameter lifetime: Returns the time from the `set` to the deadline, or `nil` for no
  ///   deadline. A value with a lifetime of zero or less is never returned. Called once for each
  ///   `set` and each back-fill, on its thread.
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
  /// The lifetime, and the jitter if it isn't zero.
  @usableFromInline
  static func after(_ lifetime: Duration, jitter: Double) -> Self {
    jitter > 0
      ? ["after": .duration(lifetime), "jitter": .fraction(jitter)] : ["after": .duration(lifetime)]
  }
}

extension CachePlan.Kind {
  /// The kind of `expiring(after:jitter:)` and its siblings.
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
