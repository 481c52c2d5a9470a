import Synchronization

/// The logical time of a run. It counts steps on a virtual schedule, and events on real threads.
final class Ticker: Sendable {
  private let time = Atomic(0)
  private let isRunning = Atomic(false)

  /// Returns the time. On real threads, each call returns a later time.
  func now() -> Int {
    isRunning.load(ordering: .relaxed)
      ? time.add(1, ordering: .sequentiallyConsistent).newValue
      : time.load(ordering: .sequentiallyConsistent)
  }

  /// Advances the time by one.
  func advance() { time.add(1, ordering: .sequentiallyConsistent) }

  /// Makes every call of `now()` advance the time.
  func run() { isRunning.store(true, ordering: .sequentiallyConsistent) }
}
