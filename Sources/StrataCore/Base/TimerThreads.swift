import Dispatch

/// Calls closures after a delay, on its own threads.
///
/// If the timers used Dispatch, a program that blocks all threads of the global queue would delay
/// the timers that should end the blocked calls. Therefore one thread watches the timers. When a
/// timer is due, another thread takes over the watch, and the first thread runs the closure. So a
/// closure that blocks delays other timers only if `mostThreads` closures block at the same time.
final class TimerThreads: Sendable {
  static let shared = TimerThreads()

  private static let mostThreads = 64
  /// The time after which a thread ends if it has nothing to do and another thread watches the
  /// timers.
  private static let idleTime: Int64 = 10_000_000_000

  private struct State {
    var timers = TimerHeap()
    var threads = 0
    /// The thread that watches the timers.
    var watcher: Sleeper?
    /// The time at which the watching thread wakes by itself.
    var watchEnd: Int64 = .max
    /// Whether a thread has been woken or started to take over the watch.
    var isChanging = false
    var idle: [Sleeper] = []

    /// Returns the watching thread if it would wake too late for a timer. In a program whose timers
    /// are nearly always cancelled in time, as deadlines are, the thread mostly sleeps.
    mutating func sleeperToWake(by due: Int64) -> Sleeper? {
      guard let watcher, due < watchEnd else { return nil }
      watchEnd = due
      return watcher
    }

    /// Returns a thread that watches the timers from now on, or `nil` if another thread already
    /// does.
    mutating func change() -> Successor? {
      guard watcher == nil, !isChanging, !timers.isEmpty else { return nil }
      isChanging = !idle.isEmpty || threads < TimerThreads.mostThreads
      if let sleeper = idle.popLast() { return .wake(sleeper) }
      guard isChanging else { return nil }
      threads += 1
      return .start
    }
  }

  private enum Successor {
    case wake(Sleeper)
    case start
  }

  private enum Step {
    case run(@Sendable () -> Void, Successor?)
    case sleep(Int64)
    case end
  }

  private let state = Lock(State())
  private let start: @Sendable (@escaping @Sendable () -> Void) throws -> Void

  /// - Parameter start: A function that starts a thread. Tests pass a function that fails.
  init(
    start: @escaping @Sendable (@escaping @Sendable () -> Void) throws -> Void = {
      try startThread($0)
    }
  ) {
    self.start = start
  }

  /// Calls a closure after a delay, and returns a function that cancels the call and releases the
  /// closure.
  func schedule(
    after delay: Duration, _ work: @escaping @Sendable () -> Void
  ) -> @Sendable () -> Void {
    let (due, isTooMuch) = Self.now().addingReportingOverflow(max(delay, .zero).wholeNanoseconds)
    let (timer, watcher, successor) = state.withLock {
      state -> (TimerHeap.Timer, Sleeper?, Successor?) in
      let timer = state.timers.add(due: isTooMuch ? .max : due, work)
      return (timer, state.sleeperToWake(by: timer.due), state.change())
    }
    watcher?.wake()
    employ(successor)
    return { _ = self.state.withLock { $0.timers.cancel(timer) } }
  }

  /// The time in nanoseconds since the system started, without the time for which it slept.
  private static func now() -> Int64 { Int64(DispatchTime.now().uptimeNanoseconds) }

  private func employ(_ successor: Successor?) {
    switch successor {
    case nil: return
    case .wake(let sleeper)?: sleeper.wake()
    case .start?:
      // If the system can't start another thread, Dispatch may still have an idle one. The other
      // timer threads aren't enough, because their closures may wait for the next timer.
      do { try start { self.work() } } catch { DispatchQueue.global().async { self.work() } }
    }
  }

  private func work() {
    let sleeper = Sleeper()
    var end = Self.now() + Self.idleTime
    while true {
      let now = Self.now()
      switch state.withLock({ Self.step(&$0, sleeper, now, end) }) {
      case .run(let work, let successor):
        employ(successor)
        releasingObjects(work)
        end = Self.now() + Self.idleTime
      case .sleep(let time): sleeper.sleep(atMost: time)
      case .end: return
      }
    }
  }

  private static func step(
    _ state: inout State, _ sleeper: Sleeper, _ now: Int64, _ end: Int64
  ) -> Step {
    state.isChanging = false
    state.idle.removeAll { $0 === sleeper }
    if state.watcher === sleeper { state.watcher = nil }
    if let work = state.timers.next(by: now) { return .run(work, state.change()) }
    if state.watcher == nil {
      state.watcher = sleeper
      // Even if the timer for which the thread was woken has been cancelled, it wakes at that time.
      // Otherwise, each of several such timers in a row would wake it.
      let planned = state.watchEnd > now ? state.watchEnd : .max
      state.watchEnd = min(planned, state.timers.first ?? .max)
      return .sleep(state.watchEnd - now)
    }
    guard now < end else {
      state.threads -= 1
      return .end
    }
    state.idle.append(sleeper)
    return .sleep(end - now)
  }
}
