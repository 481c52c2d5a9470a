/// A clock for tests that stands still until it is told to advance.
///
/// What becomes due runs inside ``advance(by:)``, on the thread that called it, in the order of the
/// moments it is due; each closure sees its own moment as the present. Safe to use from any thread.
///
///     let (time, clock) = TimeSource.manual()
///     let answer = Promise(1).delayed(by: .seconds(5), on: time)
///     clock.advance(by: .seconds(5))  // answer has settled with 1
public final class ManualTime: Sendable {
  fileprivate struct Timer {
    let id: Int
    let due: TimeSource.Instant
    let work: @Sendable () -> Void
  }

  fileprivate struct State {
    var now: TimeSource.Instant
    var timers: [Timer] = []  // In the order in which they fall due.
    var lastID = 0
  }

  private let state: Lock<State>

  /// Makes a clock that shows `start`.
  public init(startingAt start: TimeSource.Instant) {
    state = Lock(State(now: start))
  }

  /// The moment that the clock shows.
  public var now: TimeSource.Instant { state.withLock { $0.now } }

  /// How many closures are waiting for their moment.
  public var waiting: Int { state.withLock { $0.timers.count } }

  /// Moves the clock forward and runs all that falls due on the way.
  ///
  /// - Parameter duration: How far; zero runs what is due already. A negative one sets the clock
  ///   back, and runs nothing.
  /// - Complexity: O(n) for each closure that falls due, of n that wait.
  public func advance(by duration: Duration) {
    let end = state.withLock { $0.now.advanced(by: duration) }
    while let work = state.withLock({ $0.nextDue(by: end) }) { work() }
    state.withLock { $0.now = duration < .zero ? end : max($0.now, end) }
  }

  func schedule(_ delay: Duration, _ work: @escaping @Sendable () -> Void) -> @Sendable () -> Void {
    let id = state.withLock { state in
      state.lastID += 1
      let due = state.now.advanced(by: max(delay, .zero))
      let place = state.timers.firstIndex { $0.due > due } ?? state.timers.endIndex
      state.timers.insert(Timer(id: state.lastID, due: due, work: work), at: place)
      return state.lastID
    }
    return { [weak self] in self?.callOff(id) }  // Weak: what waits may hold what calls it off.
  }

  private func callOff(_ id: Int) {
    // What is called off is returned, so that its closure is released outside the lock.
    _ = state.withLock { state in
      state.timers.firstIndex { $0.id == id }.map { state.timers.remove(at: $0) }
    }
  }
}

extension ManualTime.State {
  fileprivate mutating func nextDue(by end: TimeSource.Instant) -> (@Sendable () -> Void)? {
    guard let first = timers.first, first.due <= end else { return nil }
    now = max(now, first.due)
    return timers.removeFirst().work
  }
}

extension TimeSource {
  /// Makes a time source that stands still, and the clock that moves it.
  ///
  /// What still waits when the clock is let go of is never called. Whatever has a clock needs to be
  /// given this one: a level of stamped values too, as `.memory(on: time)`, or it drops what was
  /// set at a moment that is past by the system's clock.
  ///
  /// - Parameter start: What the clock shows first, 2001-09-09 01:46:40 UTC unless told otherwise.
  public static func manual(
    startingAt start: Instant = Instant(sinceEpoch: .seconds(1_000_000_000))
  ) -> (time: TimeSource, clock: ManualTime) {
    let clock = ManualTime(startingAt: start)
    return (TimeSource(now: { clock.now }, after: { clock.schedule($0, $1) }), clock)
  }
}
