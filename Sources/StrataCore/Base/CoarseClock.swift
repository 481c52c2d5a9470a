import Synchronization

/// A clock that reads the exact time only once per system tick.
///
/// Coarse time is never ahead of the exact time, and at most one tick (1 to 10 ms) behind it. While
/// the machine sleeps, the exact time advances and the ticks stop. After the sleep, the next tick
/// makes the clock read the exact time again.
final class CoarseClock: Sendable {
  private let now: @Sendable () -> TimeSource.Instant
  private let tick = Atomic(Int64.min)
  private let time = Atomic(Int64.min)

  init(_ now: @escaping @Sendable () -> TimeSource.Instant) { self.now = now }

  /// Returns the stored time. If the tick has changed since the time was stored, first reads and
  /// stores the exact time.
  ///
  /// Because of `max`, a delayed thread can't replace the stored time with an earlier one. But it
  /// might store an outdated tick, so the next call reads the exact time again.
  func read() -> TimeSource.Instant {
    let current = coarseTick()
    if tick.load(ordering: .acquiring) != current {
      time.max(now().nanoseconds, ordering: .relaxed)
      tick.store(current, ordering: .releasing)
    }
    return TimeSource.Instant(nanoseconds: time.load(ordering: .relaxed))
  }
}
