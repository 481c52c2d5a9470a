import Synchronization

/// A clock that is read once in each tick of the system.
///
/// Its time is never ahead of the clock. It is behind by at most a tick of 1 to 10 ms. While the
/// machine sleeps, the clock runs and the ticks stop, but the tick before a sleep isn't the tick
/// after it.
final class CoarseClock: Sendable {
  private let now: @Sendable () -> TimeSource.Instant
  private let tick = Atomic(Int64.min)
  private let time = Atomic(Int64.min)

  init(_ now: @escaping @Sendable () -> TimeSource.Instant) { self.now = now }

  /// The time of the clock at a read in this tick.
  ///
  /// A thread that is late stores neither an earlier time nor a tick that comes back. So a thread
  /// that finds this tick also finds a time of this tick.
  func read() -> TimeSource.Instant {
    let current = coarseTick()
    if tick.load(ordering: .acquiring) != current {
      time.max(now().nanoseconds, ordering: .relaxed)
      tick.store(current, ordering: .releasing)
    }
    return TimeSource.Instant(nanoseconds: time.load(ordering: .relaxed))
  }
}
