extension Freshness {
  /// A stage in the life of a value, which depends on the value's age.
  public enum Stage: Equatable, Sendable {
    /// A get returns the value without calling the fetcher.
    case fresh
    /// A get returns the value immediately, and a refresh runs in the background. This is also the
    /// stage of a fresh value that is old enough to be refreshed early. See
    /// ``Freshness/refreshingAfter``.
    case stale
    /// A get waits for the refresh, and returns the stale value if the refresh fails or takes
    /// longer than ``Freshness/waitingAtMost``.
    case staleOnError
    /// A get never returns the value.
    case expired
  }

  /// Returns the stage of a value, such as fresh or stale. The result ignores the jitter.
  ///
  ///     let age = Freshness(for: .seconds(60), staleIfError: .seconds(30))
  ///     let now = TimeSource.system.now()
  ///     age.stage(of: Stamped(1, storedAt: now.advanced(by: .seconds(-75))), at: now)
  ///     // .staleOnError
  ///
  /// - Parameters:
  ///   - stamped: The value. A value whose creation time is more than 60 seconds after `now` counts
  ///     as expired.
  ///   - now: The current time.
  public func stage<Value>(of stamped: Stamped<Value>, at now: TimeSource.Instant) -> Stage {
    stage(of: stamped, at: now, lifetime: life.fresh)
  }

  @inlinable
  func stage<Value>(
    of stamped: Stamped<Value>, at now: TimeSource.Instant, lifetime: Int64
  ) -> Stage {
    if stamped.isFromTheFuture(at: now) { return .expired }
    let end = end(of: stamped, lifetime: lifetime)
    if now < end { return now < early(stamped.storedAt, end) ? .fresh : .stale }
    if now < end.advanced(byNanoseconds: life.stale) { return .stale }
    return now < end.advanced(byNanoseconds: life.onError) ? .staleOnError : .expired
  }

  /// Returns the stage of a value, such as fresh or stale. The jitter shortens the value's
  /// lifetime, and depends on the key's hash.
  @inlinable
  func stage<Value>(
    of stamped: Stamped<Value>, _ hash: @autoclosure () -> Int, at now: TimeSource.Instant
  ) -> Stage {
    stage(of: stamped, at: now, lifetime: lifetime(of: hash(), stamped))
  }

  /// Whether the freshness of a value has ended. A fresh value that is refreshed early isn't stale.
  func isStale<Value>(
    _ stamped: Stamped<Value>, _ hash: @autoclosure () -> Int, at now: TimeSource.Instant
  ) -> Bool {
    now >= end(of: stamped, lifetime: lifetime(of: hash(), stamped))
  }

  /// Returns the time at which a value's freshness ends.
  @inlinable
  func end<Value>(of stamped: Stamped<Value>, lifetime: Int64) -> TimeSource.Instant {
    min(stamped.deadline, stamped.storedAt.advanced(byNanoseconds: lifetime))
  }

  /// Returns the end of a value's first stage, in which a get doesn't call the fetcher.
  @inlinable
  func endOfStage<Value>(
    of stamped: Stamped<Value>, _ hash: @autoclosure () -> Int
  ) -> TimeSource.Instant {
    early(stamped.storedAt, end(of: stamped, lifetime: lifetime(of: hash(), stamped)))
  }

  /// Returns the time from which on a fresh value is refreshed in the background, which is at the
  /// latest the end of its freshness.
  @inlinable
  func early(_ birth: TimeSource.Instant, _ end: TimeSource.Instant) -> TimeSource.Instant {
    refreshingAfter < 1 ? earlySlow(birth, end) : end
  }

  @usableFromInline
  func earlySlow(_ birth: TimeSource.Instant, _ end: TimeSource.Instant) -> TimeSource.Instant {
    let part = Double(birth.duration(to: end).wholeNanoseconds) * refreshingAfter
    return min(end, birth.advanced(byNanoseconds: Int64(part)))
  }

  /// Returns the number of nanoseconds for which a value is fresh. The jitter depends on the key's
  /// hash and the creation time.
  @inlinable
  func lifetime<Value>(of hash: @autoclosure () -> Int, _ stamped: Stamped<Value>) -> Int64 {
    let full = followsDeadlines ? span(from: stamped.storedAt, to: stamped.deadline) : life.fresh
    return jitter > 0 ? Jitter(jitter).shortening(full, of: hash(), at: stamped.storedAt) : full
  }

  /// The lifetime that a load has chosen for a value. But if another writer has stored the value
  /// without a deadline or with a nearer one, the lifetime of the `Freshness` applies.
  @usableFromInline
  func span(from birth: TimeSource.Instant, to deadline: TimeSource.Instant) -> Int64 {
    guard deadline != .last else { return life.fresh }
    let (span, isPast) = birth.duration(to: deadline).wholeNanoseconds
      .subtractingReportingOverflow(max(life.stale, life.onError))
    return isPast || span < 0 ? life.fresh : span
  }
}
