import Foundation

extension Cache {
  /// Returns a cache of plain values, each of which lives for some time after it was set.
  ///
  /// At its deadline and after it a value is a miss, and the level beneath is asked. The deadline
  /// is that of the entry, fixed when it is set: a back-fill or another pipeline over the same
  /// levels neither moves nor extends it. So sum the levels that share an age before this verb:
  ///
  ///     let stamped: Cache<String, Stamped<Data>> = .memory() + .memory(capacity: 10_000)
  ///     let pages = stamped.expiring(after: .seconds(60)) + network
  ///
  /// A sum of two caches that each stamp restarts the age at promotion. An entry of the upper level
  /// that has expired hides a live one beneath it, unless ``maxAge(_:on:)`` bounds that level. Time
  /// asleep counts; a clock set back or forward changes nothing in a running process.
  ///
  /// - Parameters:
  ///   - lifetime: How long a value lives from its `set` on. With zero or less it is never
  ///     answered; one that ends after the year 2262 ends then.
  ///   - jitter: By which part of it, 0 to 1, a life may be shorter, and never longer, so that what
  ///     was set together does not expire together.
  ///   - time: Where the time comes from; a memory level beneath has a clock of its own, which has
  ///     to be the same: `.memory(on: time)`.
  /// - Complexity: O(1); one look at the clock for each hit and each `set`.
  /// - Law: never an answer at or past its deadline: `time.deadline`, `time.promotion`,
  ///   `time.neverExtended`; see `TimeLaws`.
  @inlinable
  public func expiring<Plain>(
    after lifetime: Duration, jitter: Double = 0, on time: TimeSource = .system
  ) -> Cache<Key, Plain> where Value == Stamped<Plain> {
    let (now, bounds) = (time.now, Jitter(jitter))
    let (plan, lifetime) = (CachePlan.after(lifetime, jitter: jitter), lifetime.wholeNanoseconds)
    return aging(
      "expiring", plan,
      asking: { get in Cache.living(on: time, get) },
      stamp: { key, value in
        let now = now()
        let lifetime = bounds.shortening(lifetime, of: key.hashValue, at: now)
        return Stamped(
          value, storedAt: now, expiresAt: now.advanced(byNanoseconds: lifetime))
      })
  }

  /// Returns a cache of plain values that live until one moment, all of them.
  ///
  /// After that moment it answers nothing any more, whatever is set; for a moment that moves, such
  /// as the next midnight, return the time left from ``expiring(on:_:)``.
  ///
  /// - Parameters:
  ///   - deadline: The deadline of every value that is set.
  ///   - time: Where the time comes from; a memory level beneath has a clock of its own, which has
  ///     to be the same: `.memory(on: time)`.
  /// - Law: as ``expiring(after:jitter:on:)``; see `TimeLaws`.
  @inlinable
  public func expiring<Plain>(
    at deadline: TimeSource.Instant, on time: TimeSource = .system
  ) -> Cache<Key, Plain> where Value == Stamped<Plain> {
    let now = time.now
    return aging(
      "expiring", "at: \(CachePlan.moment(deadline))",
      asking: { get in Cache.living(on: time, get) },
      stamp: { _, value in Stamped(value, storedAt: now(), expiresAt: deadline) })
  }

  /// Returns a cache of plain values, each of which lives for a time of its own.
  ///
  ///     let stamped: Cache<String, Stamped<Data>> = .memory()
  ///     let pages = stamped.expiring { key, _ in key.hasPrefix("news/") ? .seconds(60) : nil }
  ///
  /// - Parameters:
  ///   - time: Where the time comes from; a memory level beneath has a clock of its own, which has
  ///     to be the same: `.memory(on: time)`.
  ///   - lifetime: How long a value lives from its `set` on; `nil` for ever, zero or less not at
  ///     all. Called once for each `set` and each back-fill, on the thread of that.
  /// - Law: `expiring { _, _ in nil }` answers exactly what the entries hold: `time.entries`; see
  ///   `TimeLaws`.
  @inlinable
  public func expiring<Plain>(
    on time: TimeSource = .system, _ lifetime: @escaping @Sendable (Key, Plain) -> Duration?
  ) -> Cache<Key, Plain> where Value == Stamped<Plain> {
    let now = time.now
    return aging(
      "expiring", "each",
      asking: { get in Cache.living(on: time, get) },
      stamp: { key, value in
        Stamped(value, storedAt: now(), lasting: lifetime(key, value))
      })
  }
}

extension CachePlan {
  /// `after: 60 s`, and the jitter if there is one.
  @usableFromInline
  static func after(_ lifetime: Duration, jitter: Double) -> String {
    "after: \(lifetime.formattedExactly)" + (jitter > 0 ? ", jitter: \(jitter)" : "")
  }

  /// A moment as a date in UTC.
  @usableFromInline
  static func moment(_ moment: TimeSource.Instant) -> String {
    Date(timeIntervalSince1970: Double(moment.nanoseconds / 1_000_000_000)).ISO8601Format()
  }
}
