extension Promise {
  /// Makes a promise, and makes it anew after a failure, `count` times at most.
  ///
  /// It takes a closure because a promise is eager: one that failed cannot be run again. A cancelled
  /// attempt is not tried again and cancels the result; cancelling the result stops the attempt or
  /// the pause that is under way.
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
  /// - Law: `retry(0) { p } == p`; see `RetryTests.testZeroAndFewerRetriesAreOneAttempt`.
  public static func retry(
    _ count: Int, every pause: Duration = .zero, on time: TimeSource = .system,
    _ make: @escaping @Sendable () -> Promise
  ) -> Promise {
    let retrial = Retrial(count: count, pause: pause, time: time, make: make)
    retrial.run(attempt: 1)
    return retrial.result.outcome.map { Promise(outcome: $0) } ?? Promise(.pending(retrial.result))
  }
}

private struct Retrial<Value: Sendable>: Sendable {
  let count: Int
  let pause: Duration
  let time: TimeSource
  let make: @Sendable () -> Promise<Value>
  let result = Pending<Value>()

  /// Runs attempts in a loop as long as they answer at once, and goes on from a callback otherwise.
  func run(attempt first: Int) {
    var attempt = first
    while result.outcome == nil {
      let running = make()
      if case .failure? = running.outcome, attempt <= count, pause <= .zero {
        attempt += 1
        continue
      }
      let number = attempt
      let interest = running.join { outcome in
        guard case .failure = outcome, number <= count else {
          _ = result.settle(outcome)
          return
        }
        // From the queue, since a fast failure may have called this inside the loop.
        if pause <= .zero { return Trampoline.run { run(attempt: number + 1) } }
        let callOff = time.after(pause) { run(attempt: number + 1) }
        result.stop(at: 2 * number + 1, callOff)
      }
      if let interest { result.stop(at: 2 * number, interest.withdraw) }
      return
    }
  }
}
