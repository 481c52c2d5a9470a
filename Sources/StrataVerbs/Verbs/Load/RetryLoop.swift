/// A sequence of attempts. Attempts that settle synchronously run in a loop. After an attempt that
/// settles asynchronously, a callback starts the next one.
final class RetryLoop<Value: Sendable>: Sendable {
  let count: Int
  /// A closure that returns the delay before a retry. Its parameter is the number of the retry.
  /// Retries are numbered from one.
  let delay: @Sendable (Int) -> Duration
  let shouldRetry: @Sendable (any Error) -> Bool
  let clock: TimeSource
  let make: @Sendable () -> Promise<Value>
  private let result = Pending<Value>()

  init(
    count: Int, delay: @escaping @Sendable (Int) -> Duration,
    shouldRetry: @escaping @Sendable (any Error) -> Bool = { _ in true }, clock: TimeSource,
    make: @escaping @Sendable () -> Promise<Value>
  ) {
    self.count = count
    self.delay = delay
    self.shouldRetry = shouldRetry
    self.clock = clock
    self.make = make
  }

  /// Starts the loop. If `first` isn't `nil`, it's the first attempt.
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
      guard let delay = delay(after: outcome, attempt) else {
        _ = result.settle(outcome)
        return
      }
      guard delay <= .zero else { return sleep(delay, after: attempt) }
      attempt += 1
    }
  }

  /// Returns the delay before the next attempt, or `nil` if there is no next attempt.
  private func delay(after outcome: Promise<Value>.Outcome, _ attempt: Int) -> Duration? {
    guard attempt <= count, let error = outcome.error, shouldRetry(error) else { return nil }
    return delay(attempt)
  }

  private func wait(for running: Promise<Value>, _ attempt: Int) {
    let interest = running.join { [self] outcome in
      guard let delay = delay(after: outcome, attempt) else {
        _ = result.settle(outcome)
        return
      }
      guard delay <= .zero else { return sleep(delay, after: attempt) }
      // A direct call of `run` could recurse, because `join` calls this closure synchronously if
      // the attempt has already failed.
      let next = next(attempt + 1)
      Trampoline.run(next.begin)
    }
    if let interest { result.onCancel(at: .attempt(attempt), .withdraw(interest)) }
  }

  private func sleep(_ delay: Duration, after attempt: Int) {
    let next = next(attempt + 1)
    let cancelTimer = clock.after(delay, next.begin)
    result.onCancel(at: .pause(after: attempt)) {
      cancelTimer()
      next.share?.end()
    }
  }

  /// The next attempt, whose tasks belong to the same operation.
  private func next(
    _ attempt: Int
  ) -> (begin: @Sendable () -> Void, share: BegunTasks.Share?) {
    guard let share = BegunTasks.share() else { return ({ self.run(attempt: attempt) }, nil) }
    return ({ share.run { self.run(attempt: attempt) } }, share)
  }
}
