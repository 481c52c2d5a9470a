/// A clock for tests. It shows the same time until a test advances it.
///
/// ``advance(by:)`` runs the due closures on its caller's thread, in the order of their due times.
/// While a closure runs, the clock shows the time for which this closure was scheduled. Any thread
/// can use the clock.
///
///     let (clock, time) = TimeSource.manual()
///     let answer = Promise(1).delayed(by: .seconds(5), clock: clock)
///     time.advance(by: .seconds(5))  // answer has settled with 1
public final class ManualTime: Sendable {
  fileprivate struct State {
    var now: TimeSource.Instant
    var timers = TimerHeap()
  }

  private let state: Lock<State>

  /// Creates a clock that shows `start`.
  public init(startingAt start: TimeSource.Instant) {
    state = Lock(State(now: start))
  }

  /// The current time of the clock.
  public var now: TimeSource.Instant { state.withLock { $0.now } }

  /// The number of scheduled closures.
  public var waiting: Int { state.withLock { $0.timers.count } }

  /// Moves the clock forward and runs the closures that become due.
  ///
  /// - Parameter duration: The time to add. Zero runs only the closures that are already due. Less
  ///   than zero moves the clock back, and runs no closures.
  /// - Complexity: O(log n) for each closure that becomes due, where n is the number of scheduled
  ///   closures.
  public func advance(by duration: Duration) {
    let end = state.withLock { $0.now.advanced(by: duration) }
    while let work = state.withLock({ $0.nextDue(by: end) }) { work() }
    state.withLock { $0.now = duration < .zero ? end : max($0.now, end) }
  }

  func schedule(_ delay: Duration, _ work: @escaping @Sendable () -> Void) -> @Sendable () -> Void {
    let timer = state.withLock { state in
      state.timers.add(
        due: state.now.advanced(by: max(delay, .zero)).sinceEpoch.wholeNanoseconds, work)
    }
    // The references are weak, to avoid a retain cycle. `withLock` returns the timer's closure,
    // which is released outside the lock.
    return { [weak self, weak timer] in
      guard let timer else { return }
      _ = self?.state.withLock { $0.timers.cancel(timer) }
    }
  }
}

extension ManualTime.State {
  fileprivate mutating func nextDue(by end: TimeSource.Instant) -> (@Sendable () -> Void)? {
    guard let due = timers.first, let work = timers.next(by: end.sinceEpoch.wholeNanoseconds)
    else { return nil }
    now = max(now, TimeSource.Instant(sinceEpoch: .nanoseconds(due)))
    return work
  }
}

extension TimeSource {
  /// Creates a clock that doesn't advance by itself, and the time that advances it.
  ///
  /// Pass the clock to everything that takes a clock, including levels that store stamped values,
  /// as in `.memory(clock: clock)`. A level that still has the system clock shows itself soon: the
  /// manual time begins in 2001, so to that level, every deadline has passed. When the manual time
  /// has been released, scheduled closures never run.
  ///
  /// - Parameter start: The initial time. The default is 2001-09-09 01:46:40 UTC.
  public static func manual(
    startingAt start: Instant = Instant(sinceEpoch: .seconds(1_000_000_000))
  ) -> (clock: TimeSource, time: ManualTime) {
    let time = ManualTime(startingAt: start)
    return (TimeSource(now: { time.now }, after: { time.schedule($0, $1) }), time)
  }
}
