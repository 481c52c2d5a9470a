import Synchronization

/// The running clock, read once in each tick of the system.
///
/// Its time is never ahead of the clock, and at most a tick of 1 to 10 ms behind it. It counts sleep,
/// because the tick changes when the machine wakes up.
final class CoarseClock: Sendable {
  private let tick = Atomic(Int64.min)
  private let time = Atomic(Int64.min)
  private let update = Lock(())

  /// The nanoseconds of `runningNanoseconds()` at the first call in this tick.
  var nanoseconds: Int64 {
    if tick.load(ordering: .acquiring) == coarseTick() { return time.load(ordering: .relaxed) }
    return update.withLock { _ in
      let (tick, time) = (coarseTick(), runningNanoseconds())
      self.time.store(time, ordering: .relaxed)
      self.tick.store(tick, ordering: .releasing)
      return time
    }
  }
}
