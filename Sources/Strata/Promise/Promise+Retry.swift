extension Promise {
  /// Makes a promise, and makes it anew after a failure, `count` times at most.
  ///
  /// It takes a closure because a promise is eager: one that failed cannot be run again. A
  /// cancelled attempt is not tried again and cancels the result; cancelling the result stops the
  /// attempt or the pause that is under way.
  ///
  ///     Promise.retry(3, every: .seconds(1)) { download() }  // four attempts at most
  ///
  /// - Parameters:
  ///   - count: How many attempts may follow the first; none if zero or less.
  ///   - pause: The time between a failure and the next attempt.
  ///   - time: Where the time comes from.
  ///   - make: Starts one attempt; never called while another attempt runs. The first time on the
  ///     caller's thread, later where the attempt before has failed or the pause has ended.
  /// - Returns: The first success, or the last failure.
  /// - Complexity: O(1) in stack, for any number of attempts.
  /// - Law: `retry(0) { p } == p`; see `PromiseRetryTests.testZeroAndFewerRetriesAreOneAttempt`.
  public static func retry(
    _ count: Int, every pause: Duration = .zero, on time: TimeSource = .system,
    _ make: @escaping @Sendable () -> Promise
  ) -> Promise {
    Retrial(count: count, pause: { _ in pause }, time: time, make: make).promise()
  }
}

/// Attempts one after another: a loop as long as they answer at once, and callbacks otherwise.
struct Retrial<Value: Sendable>: Sendable {
  let count: Int
  /// The time before a retry, by its number from one on.
  let pause: @Sendable (Int) -> Duration
  /// Which errors are tried again.
  let isWorthRetrying: @Sendable (any Error) -> Bool
  let time: TimeSource
  let make: @Sendable () -> Promise<Value>
  private let result = Pending<Value>()

  init(
    count: Int, pause: @escaping @Sendable (Int) -> Duration,
    isWorthRetrying: @escaping @Sendable (any Error) -> Bool = { _ in true }, time: TimeSource,
    make: @escaping @Sendable () -> Promise<Value>
  ) {
    self.count = count
    self.pause = pause
    self.isWorthRetrying = isWorthRetrying
    self.time = time
    self.make = make
  }

  /// Begins, after a first attempt that has begun already if there is one.
  func promise(after first: Promise<Value>? = nil) -> Promise<Value> {
    run(attempt: 1, first)
    return result.promise
  }

  private func run(attempt first: Int, _ begun: Promise<Value>? = nil) {
    var (attempt, begun) = (first, begun)
    while result.outcome == nil {
      let running = begun ?? make()
      begun = nil
      guard let outcome = running.outcome else { return wait(for: running, attempt) }
      guard let pause = pauseAfter(outcome, attempt) else {
        _ = result.settle(outcome)
        return
      }
      guard pause <= .zero else { return sleep(pause, after: attempt) }
      attempt += 1
    }
  }

  /// How long to wait before the next attempt; `nil` if there is none.
  private func pauseAfter(_ outcome: Promise<Value>.Outcome, _ attempt: Int) -> Duration? {
    guard attempt <= count, let error = outcome.error, isWorthRetrying(error) else { return nil }
    return pause(attempt)
  }

  private func wait(for running: Promise<Value>, _ attempt: Int) {
    let interest = running.join { outcome in
      guard let pause = pauseAfter(outcome, attempt) else {
        _ = result.settle(outcome)
        return
      }
      guard pause <= .zero else { return sleep(pause, after: attempt) }
      // From the queue, since a fast failure may have called this inside the loop.
      Trampoline.run { run(attempt: attempt + 1) }
    }
    if let interest { result.stop(at: 2 * attempt, interest.withdraw) }
  }

  private func sleep(_ pause: Duration, after attempt: Int) {
    let callOff = time.after(pause) { run(attempt: attempt + 1) }
    result.stop(at: 2 * attempt + 1, callOff)
  }
}
