import Synchronization

/// The logical time of a run. On a single thread, each step advances it at least once. On several
/// threads, each call to `now()` advances it.
final class Ticker: Sendable {
  private let time = Atomic(0)
  private let isRunning = Atomic(false)

  /// Returns the time. In a run on several threads, each call returns a later time than the
  /// previous call.
  func now() -> Int {
    isRunning.load(ordering: .relaxed)
      ? time.add(1, ordering: .sequentiallyConsistent).newValue
      : time.load(ordering: .sequentiallyConsistent)
  }

  /// Advances the time by one.
  func advance() { time.add(1, ordering: .sequentiallyConsistent) }

  /// Makes every call to `now()` advance the time.
  func run() { isRunning.store(true, ordering: .sequentiallyConsistent) }
}
