/// Counts the moments of a run: steps on a virtual schedule, events on real threads.
final class Ticker: Sendable {
  private let state = Guarded((now: 0, isRunning: false))

  /// The present moment; on real threads each is later than the one before.
  func now() -> Int {
    state.withLock { state in
      if state.isRunning { state.now += 1 }
      return state.now
    }
  }

  /// Goes on to the next moment.
  func advance() { state.withLock { $0.now += 1 } }

  /// Lets every look be a moment of its own.
  func run() { state.withLock { $0.isRunning = true } }
}
