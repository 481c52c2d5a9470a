/// The time for which a value is fresh, and the later windows in which a get can still return the
/// stale value.
///
/// A new value is *fresh*. While the value is *stale*, a get returns it immediately, and a refresh
/// runs in the background. While the value is *stale on error*, a get returns it only if a refresh
/// fails. After both windows, the value is *expired*, and gets never return it. As in RFC 5861,
/// both windows for stale values begin when freshness ends.
///
///     let news = Freshness(
///       for: .seconds(60), staleWhileRevalidate: .seconds(300), staleIfError: .seconds(86_400))
///
/// Negative durations are treated as zero. The latest possible end of a window is in the year 2262,
/// because times are stored as 64-bit counts of nanoseconds since 1970.
///
/// - Law: See `FreshnessTests`.
public struct Freshness: Equatable, Sendable {
  /// The time for which a value is fresh, measured from its creation.
  public let lifetime: Duration
  /// The length of the window in which a get returns the stale value immediately while a refresh
  /// runs. The window begins when freshness ends.
  public let staleWhileRevalidate: Duration
  /// The length of the window in which a get returns the stale value if the refresh fails. The
  /// window begins when freshness ends.
  public let staleIfError: Duration
  /// The maximum fraction, from 0 to 1, by which the lifetime of a value is randomly shortened.
  public let jitter: Double
  /// The maximum duration of a refresh.
  public let timeout: Duration
  /// The maximum time for which a get waits for a refresh although it has a value that is stale on
  /// error.
  public let waitingAtMost: Duration
  /// The pause after a failed refresh. The pause doubles with each further failure.
  public let pause: Duration
  /// The longest pause after a failed refresh.
  public let longestPause: Duration
  /// The lifetime and the two stale windows, in nanoseconds.
  @usableFromInline let life: (fresh: Int64, stale: Int64, onError: Int64)

  /// Creates a freshness.
  ///
  /// - Parameters:
  ///   - lifetime: The time for which a value is fresh, measured from its creation. If a value has
  ///     a deadline before the end of its lifetime, freshness ends and both stale windows begin at
  ///     the deadline.
  ///   - staleWhileRevalidate: The length of the window in which a get returns the stale value
  ///     immediately while a refresh runs. The window begins when freshness ends. The default is
  ///     zero.
  ///   - staleIfError: The length of the window in which a get returns the stale value if the
  ///     refresh fails. The window begins when freshness ends. The default is zero.
  ///   - jitter: The maximum fraction, from 0 to 1, by which the lifetime is randomly shortened.
  ///     With jitter, values that were set at the same time aren't all refreshed at the same time.
  ///     The fraction by which the lifetime is shortened depends on the value's key and creation
  ///     time. The default is zero.
  ///   - timeout: The maximum duration of a refresh. A longer refresh fails. The default is 60
  ///     seconds. If the timeout is zero or less, a refresh succeeds only if the fetcher settles
  ///     synchronously.
  ///   - waitingAtMost: The maximum time for which a get waits for a refresh although it has a value
  ///     that is stale on error. After this time, the get returns the stale value, and the refresh
  ///     continues. Until that refresh ends, further gets of the key don't wait. The default is one
  ///     second.
  ///   - pause: The pause after a failed refresh. During the pause, a get that has a stale value
  ///     returns it immediately, and doesn't call the fetcher. The pause doubles with each further
  ///     failure of the key, and is shortened randomly by up to a half, so that programs that failed
  ///     together don't all return together. Zero disables pauses. The default is one second.
  ///   - longestPause: The longest pause. The default is 60 seconds.
  public init(
    for lifetime: Duration, staleWhileRevalidate: Duration = .zero, staleIfError: Duration = .zero,
    jitter: Double = 0, timeout: Duration = .seconds(60), waitingAtMost: Duration = .seconds(1),
    pause: Duration = .seconds(1), longestPause: Duration = .seconds(60)
  ) {
    self.lifetime = max(.zero, lifetime)
    self.staleWhileRevalidate = max(.zero, staleWhileRevalidate)
    self.staleIfError = max(.zero, staleIfError)
    self.jitter = Jitter(jitter).fraction
    self.timeout = timeout
    self.waitingAtMost = max(.zero, waitingAtMost)
    self.pause = max(.zero, pause)
    self.longestPause = max(.zero, longestPause)
    life = (
      self.lifetime.wholeNanoseconds, self.staleWhileRevalidate.wholeNanoseconds,
      self.staleIfError.wholeNanoseconds
    )
  }

  /// Whether all properties of two `Freshness` values are equal.
  public static func == (one: Freshness, other: Freshness) -> Bool {
    one.lifetime == other.lifetime && one.staleWhileRevalidate == other.staleWhileRevalidate
      && one.staleIfError == other.staleIfError && one.jitter == other.jitter
      && one.timeout == other.timeout && one.waitingAtMost == other.waitingAtMost
      && one.pause == other.pause && one.longestPause == other.longestPause
  }

  /// A stage in the life of a value, as determined by the value's age.
  public enum Stage: Equatable, Sendable {
    /// A get returns the value without calling the fetcher.
    case fresh
    /// A get returns the value immediately, and a refresh runs in the background.
    case stale
    /// A get waits for the refresh, and returns the stale value if the refresh fails or takes longer
    /// than ``Freshness/waitingAtMost``.
    case staleOnError
    /// A get never returns the value.
    case expired
  }

  /// Returns the stage of a value, such as fresh or stale, ignoring the jitter.
  ///
  ///     let age = Freshness(for: .seconds(60), staleIfError: .seconds(30))
  ///     let now = TimeSource.system.now()
  ///     age.stage(of: Stamped(1, storedAt: now.advanced(by: .seconds(-75))), at: now)
  ///     // .staleOnError
  ///
  /// - Parameters:
  ///   - stamped: The value. A value whose creation time is more than 60 seconds after `now` is
  ///     treated as expired.
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
    if now < end { return .fresh }
    if now < end.advanced(byNanoseconds: life.stale) { return .stale }
    return now < end.advanced(byNanoseconds: life.onError) ? .staleOnError : .expired
  }

  /// Returns the stage of a value, such as fresh or stale. The jitter shortens the value's
  /// lifetime, and depends on the key's hash.
  @inlinable
  func stage<Value>(
    of stamped: Stamped<Value>, _ hash: @autoclosure () -> Int, at now: TimeSource.Instant
  ) -> Stage {
    stage(of: stamped, at: now, lifetime: lifetime(of: hash(), createdAt: stamped.storedAt))
  }

  /// Returns the time at which a value's freshness ends.
  @inlinable
  func end<Value>(of stamped: Stamped<Value>, lifetime: Int64) -> TimeSource.Instant {
    min(stamped.deadline, stamped.storedAt.advanced(byNanoseconds: lifetime))
  }

  /// Returns the number of nanoseconds for which a value is fresh. The jitter depends on the key's
  /// hash and the creation time.
  @inlinable
  func lifetime(of hash: @autoclosure () -> Int, createdAt birth: TimeSource.Instant) -> Int64 {
    jitter > 0 ? Jitter(jitter).shortening(life.fresh, of: hash(), at: birth) : life.fresh
  }

  /// Returns a stamped value whose creation time is the current time. The value's deadline is the
  /// time at which both stale windows have ended.
  func stamp<Value>(_ value: Value, at now: TimeSource.Instant) -> Stamped<Value> {
    let end = now.advanced(byNanoseconds: life.fresh)
    return Stamped(
      value, storedAt: now,
      expiresAt: end.advanced(byNanoseconds: max(life.stale, life.onError)))
  }
}
