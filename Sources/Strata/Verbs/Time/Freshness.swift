/// For how long a value is fresh, and for how long a stale one may still be served.
///
/// A value is *fresh*, then *stale*: served at once while a refresh runs, then *stale on error*:
/// served only if the refresh fails, and then *dead*. Both windows begin where freshness ends, and
/// may overlap, as in RFC 5861.
///
///     let news = Freshness(
///       for: .seconds(60), staleWhileRevalidate: .seconds(300), staleIfError: .seconds(86_400))
///
/// Negative times count as zero, and moments after the year 2262 as that.
///
/// - Law: see `FreshnessTests`.
public struct Freshness: Equatable, Sendable {
  /// How long a value is fresh, from its birth on.
  public let lifetime: Duration
  /// How long after that it is answered at once while a refresh runs.
  public let staleWhileRevalidate: Duration
  /// How long after the end of freshness it is answered if the refresh fails.
  public let staleIfError: Duration
  /// By which part, 0 to 1, a value may be fresh for less time, and never for more.
  public let jitter: Double
  /// How long a refresh may take.
  public let timeout: Duration
  /// The same in nanoseconds, for those who compare moments.
  @usableFromInline let life: (fresh: Int64, stale: Int64, onError: Int64)

  /// Makes the times of a value's life.
  ///
  /// - Parameters:
  ///   - lifetime: How long a value is fresh, from its birth on. A deadline of its own that comes
  ///     earlier ends its freshness, and not what follows: the windows begin there.
  ///   - staleWhileRevalidate: How long after that it is answered at once while a refresh runs.
  ///   - staleIfError: How long after the end of freshness it is answered if the refresh fails.
  ///   - jitter: By which part, 0 to 1, a value may be fresh for less time, so that what was set
  ///     together is not refreshed together. Each key at each birth has a part of its own.
  ///   - timeout: How long a refresh may take, 60 seconds unless told otherwise; it fails then.
  ///     With zero or less only what the fetcher answers at once is taken.
  public init(
    for lifetime: Duration, staleWhileRevalidate: Duration = .zero, staleIfError: Duration = .zero,
    jitter: Double = 0, timeout: Duration = .seconds(60)
  ) {
    self.lifetime = max(.zero, lifetime)
    self.staleWhileRevalidate = max(.zero, staleWhileRevalidate)
    self.staleIfError = max(.zero, staleIfError)
    self.jitter = Jitter(jitter).fraction
    self.timeout = timeout
    life = (
      self.lifetime.wholeNanoseconds, self.staleWhileRevalidate.wholeNanoseconds,
      self.staleIfError.wholeNanoseconds
    )
  }

  /// Whether all the times are the same.
  public static func == (one: Freshness, other: Freshness) -> Bool {
    one.life == other.life && one.jitter == other.jitter && one.timeout == other.timeout
  }

  /// Where a value is in its life.
  public enum Stage: Equatable, Sendable {
    /// It is answered, and nobody else is asked.
    case fresh
    /// It is answered at once, and a refresh runs.
    case stale
    /// A refresh is waited for, and it is answered if that fails.
    case staleOnError
    /// It is not answered any more.
    case expired
  }

  /// Returns where a value is in its life, but for the jitter.
  ///
  ///     let age = Freshness(for: .seconds(60), staleIfError: .seconds(30))
  ///     let now = TimeSource.system.now()
  ///     age.stage(of: Stamped(1, storedAt: now.advanced(by: .seconds(-75))), at: now)
  ///     // .staleOnError
  ///
  /// - Parameters:
  ///   - stamped: The value; born more than 60 seconds ahead it is dead.
  ///   - now: The present moment.
  public func stage<Value>(of stamped: Stamped<Value>, at now: TimeSource.Instant) -> Stage {
    stage(of: stamped, at: now, lifetime: life.fresh)
  }

  @inlinable
  func stage<Value>(
    of stamped: Stamped<Value>, at now: TimeSource.Instant, lifetime: Int64
  ) -> Stage {
    if stamped.isFromTheFuture(at: now) { return .expired }
    let end = end(of: stamped, lifetime: lifetime)
    if now < end { return .fresh }
    if now < end.advanced(byNanoseconds: life.stale) { return .stale }
    return now < end.advanced(byNanoseconds: life.onError) ? .staleOnError : .expired
  }

  /// Where a value of a key is in its life, with the jitter.
  @inlinable
  func stage<Value>(
    of stamped: Stamped<Value>, _ hash: @autoclosure () -> Int, at now: TimeSource.Instant
  ) -> Stage {
    stage(of: stamped, at: now, lifetime: lifetime(of: hash(), createdAt: stamped.storedAt))
  }

  /// The end of its freshness.
  @inlinable
  func end<Value>(of stamped: Stamped<Value>, lifetime: Int64) -> TimeSource.Instant {
    min(stamped.deadline, stamped.storedAt.advanced(byNanoseconds: lifetime))
  }

  /// How long a value of this key and birth is fresh, in nanoseconds.
  @inlinable
  func lifetime(of hash: @autoclosure () -> Int, createdAt birth: TimeSource.Instant) -> Int64 {
    jitter > 0 ? Jitter(jitter).shortening(life.fresh, of: hash(), at: birth) : life.fresh
  }

  /// A value born now, with its end as the deadline: levels may drop what nobody can be served.
  func stamp<Value>(_ value: Value, at now: TimeSource.Instant) -> Stamped<Value> {
    let end = now.advanced(byNanoseconds: life.fresh)
    return Stamped(
      value, storedAt: now,
      expiresAt: end.advanced(byNanoseconds: max(life.stale, life.onError)))
  }
}
