/// The time for which a value is fresh, and the later windows in which a get can still return the
/// stale value.
///
/// A new value is *fresh*. While the value is *stale*, a get returns it immediately, and a refresh
/// runs in the background. While the value is *stale on error*, a get returns it only if a refresh
/// fails or takes too long. After both windows, the value is *expired*, and gets never return it.
/// As in RFC 5861, both windows begin when freshness ends.
///
///     let news = Freshness(
///       for: .seconds(60), staleWhileRevalidate: .seconds(300), staleIfError: .seconds(86_400))
///
/// A negative duration counts as zero. The latest possible end of a window is in the year 2262,
/// because times are stored as 64-bit counts of nanoseconds since 1970.
///
/// - Law: See `FreshnessTests`.
public struct Freshness: Equatable, Sendable {
  /// The time for which a value is fresh, measured from its creation.
  public let lifetime: Duration
  /// The length of the window in which a get returns the stale value immediately while a refresh
  /// runs. This window begins when freshness ends.
  public let staleWhileRevalidate: Duration
  /// The length of the window in which a get returns the stale value if the refresh fails. This
  /// window begins when freshness ends.
  public let staleIfError: Duration
  /// The maximum fraction, from 0 to 1, by which the lifetime of a value is randomly shortened.
  public let jitter: Double
  /// The maximum duration of a refresh.
  public let timeout: Duration
  /// The maximum time for which a get waits for a refresh if it has a value that is stale on error.
  public let waitingAtMost: Duration
  /// The pause after a failed refresh. It doubles with each further failure.
  public let pause: Duration
  /// The longest pause after a failed refresh.
  public let longestPause: Duration
  /// The fraction of the lifetime after which a get refreshes the value in the background.
  public let refreshingAfter: Double
  /// Whether a get without a stored value fails immediately during a pause.
  public let failsInPause: Bool
  /// The lifetime and the two stale windows, in nanoseconds.
  @usableFromInline private(set) var life: (fresh: Int64, stale: Int64, onError: Int64)
  /// Whether the deadline of a value determines its lifetime, because the load has chosen this
  /// lifetime.
  @usableFromInline private(set) var followsDeadlines = false

  /// Creates a freshness.
  ///
  /// - Parameters:
  ///   - lifetime: The time for which a value is fresh, measured from its creation. If the deadline
  ///     of a value is before the end of its lifetime, freshness ends at the deadline.
  ///   - staleWhileRevalidate: The length of the window in which a get returns the stale value
  ///     immediately while a refresh runs. This window begins when freshness ends. The default is
  ///     zero.
  ///   - staleIfError: The length of the window in which a get returns the stale value if the
  ///     refresh fails. This window begins when freshness ends. The default is zero.
  ///   - jitter: The maximum fraction, from 0 to 1, by which the lifetime is randomly shortened.
  ///     With jitter, values that were set at the same time aren't all refreshed at the same time.
  ///     How much a lifetime is shortened depends on the value's key and creation time. The default
  ///     is zero.
  ///   - timeout: The maximum duration of a refresh. Longer refreshes fail. The default is 60
  ///     seconds. If the timeout is zero or less, a refresh succeeds only if the fetcher settles
  ///     synchronously.
  ///   - waitingAtMost: The maximum time for which a get waits for a refresh if it has a value that
  ///     is stale on error. After this time, the get returns the stale value, and the refresh
  ///     continues. Until this refresh has ended, further gets of the key don't wait. The default
  ///     is one second.
  ///   - pause: The pause after a failed refresh. During the pause, a get that has a stale value
  ///     returns it immediately, and doesn't call the fetcher. The pause doubles with each further
  ///     failure of the key. It's also shortened at random by up to a half, so that programs don't
  ///     all call the origin again at the same time. Zero disables pauses. The default is one
  ///     second.
  ///   - longestPause: The longest pause. The default is 60 seconds.
  ///   - refreshingAfter: The fraction of the lifetime, from 0 to 1, after which a get of a fresh
  ///     value begins a refresh in the background. So gets of a popular key rarely wait. The get
  ///     returns the value immediately, and only one refresh of a key runs at a time. The jitter
  ///     shortens this time as well. The default, 1, means that a value isn't refreshed before it's
  ///     stale.
  ///   - failsInPause: Whether a get without a stored value fails immediately during a pause, with
  ///     the error of the last load. By default, such a get calls the fetcher. When a closure
  ///     returns the freshness of each value, this argument applies only to gets that find an
  ///     expired value.
  public init(
    for lifetime: Duration, staleWhileRevalidate: Duration = .zero, staleIfError: Duration = .zero,
    jitter: Double = 0, timeout: Duration = .seconds(60), waitingAtMost: Duration = .seconds(1),
    pause: Duration = .seconds(1), longestPause: Duration = .seconds(60),
    refreshingAfter: Double = 1, failsInPause: Bool = false
  ) {
    self.lifetime = max(.zero, lifetime)
    self.staleWhileRevalidate = max(.zero, staleWhileRevalidate)
    self.staleIfError = max(.zero, staleIfError)
    self.jitter = Jitter(jitter).fraction
    self.timeout = timeout
    self.waitingAtMost = max(.zero, waitingAtMost)
    self.pause = max(.zero, pause)
    self.longestPause = max(.zero, longestPause)
    self.refreshingAfter = refreshingAfter.isNaN ? 1 : min(max(refreshingAfter, 0), 1)
    self.failsInPause = failsInPause
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
      && one.refreshingAfter == other.refreshingAfter && one.failsInPause == other.failsInPause
  }

  /// The freshness of values whose loads choose their lifetimes. The longer stale window of such a
  /// value begins when its freshness ends, and ends at its deadline. No duration is longer than a
  /// century. So a deadline never reaches the last instant, and the lifetime of a value can be
  /// computed from its deadline.
  @usableFromInline
  var followingDeadlines: Freshness {
    var freshness = self
    freshness.followsDeadlines = true
    freshness.life = (
      min(life.fresh, Self.century), min(life.stale, Self.century), min(life.onError, Self.century)
    )
    return freshness
  }

  private static let century: Int64 = 3_155_760_000_000_000_000

  /// Returns a copy of an entry that is stale as of now, or since its freshness ended, if that was
  /// earlier. The deadline moves together with the creation time, so levels keep the value as long
  /// as a get can use it.
  func ended<Value>(_ entry: Stamped<Value>, at now: TimeSource.Instant) -> Stamped<Value> {
    let full = followsDeadlines ? span(from: entry.storedAt, to: entry.deadline) : life.fresh
    let birth = min(entry.storedAt, now.advanced(byNanoseconds: -full))
    let end = min(entry.deadline, now.advanced(byNanoseconds: max(life.stale, life.onError)))
    return Stamped(entry.value, storedAt: birth, expiresAt: end)
  }

  /// Returns a stamped value whose creation time is the current time. The value's deadline is the
  /// time at which both stale windows have ended.
  ///
  /// - Parameter lifetime: The lifetime that the load has chosen, or `nil` for the lifetime of this
  ///   `Freshness`.
  func stamp<Value>(
    _ value: Value, at now: TimeSource.Instant, lasting lifetime: Duration? = nil
  ) -> Stamped<Value> {
    let chosen = lifetime.map { min(max(.zero, $0).wholeNanoseconds, Self.century) }
    let end = now.advanced(byNanoseconds: chosen ?? life.fresh)
    return Stamped(
      value, storedAt: now,
      expiresAt: end.advanced(byNanoseconds: max(life.stale, life.onError)))
  }
}
