import Synchronization

/// A clock that reads the exact time only once per system tick.
///
/// The coarse time is never ahead of the exact time, and at most one tick (1 to 10 ms) behind it.
/// While the machine sleeps, the exact time advances and the ticks stop. After the machine wakes
/// up, the next tick makes the clock read the exact time again.
final class CoarseClock: Sendable {
  private let now: @Sendable () -> TimeSource.Instant
  private let tick = Atomic(Int64.min)
  private let time = Atomic(Int64.min)

  init(_ now: @escaping @Sendable () -> TimeSource.Instant) { self.now = now }

  /// Returns the stored time. If the tick has changed since the time was stored, this function
  /// first reads and stores the exact time.
  ///
  /// A delayed thread can't replace the stored time with an earlier time, because `max` keeps the
  /// later time. A delayed thread might store an outdated tick. If the stored tick isn't the
  /// current tick, the next call reads the exact time again.
  func read() -> TimeSource.Instant {
    let current = coarseTick()
    if tick.load(ordering: .acquiring) != current {
      time.max(now().nanoseconds, ordering: .relaxed)
      tick.store(current, ordering: .releasing)
    }
    return TimeSource.Instant(nanoseconds: time.load(ordering: .relaxed))
  }
}
