extension Cache {
  /// Returns this cache asked again after a failure, so many times at most.
  ///
  /// A miss is an answer and is not asked for again, unless `isWorthIt` says so; a cancellation
  /// ends the get, in an attempt and in a pause. Gets alone: a write that came again might undo a
  /// later one.
  ///
  ///     let found = memory + network.retrying(3, every: .seconds(1))  // four attempts at most
  ///
  /// - Parameters:
  ///   - count: How many attempts may follow the first; none if zero or less. `.max` without a
  ///     pause, of a level that fails at once and for ever, never returns to the caller.
  ///   - pause: The time between a failure and the next attempt.
  ///   - time: Where the time comes from.
  ///   - isWorthIt: Whether to try again after an error, asked where an attempt failed: a pure
  ///     function. Errors that are no misses, unless told otherwise.
  /// - Complexity: O(1), in stack for any number of attempts. A hit allocates nothing of its own.
  /// - Law: `a.retrying(0) == a`, `a.retrying(n)` asks n + 1 times at most, and it answers as the
  ///   last attempt: `retry.none`, `retry.attempts` and others of `Laws.retry`; see `RetryLaws`.
  @inlinable
  public func retrying(
    _ count: Int, every pause: Duration = .zero, on time: TimeSource = .system,
    if isWorthIt: @escaping @Sendable (any Error) -> Bool = { !$0.isMiss }
  ) -> Cache {
    retrying(count, every: .constant(pause), on: time, if: isWorthIt)
  }

  /// Returns this cache asked again after a failure, with pauses that need not be alike.
  ///
  ///     let patient = network.retrying(5, every: .exponential(from: .seconds(1)).jittered())
  ///
  /// - Parameters:
  ///   - count: How many attempts may follow the first; none if zero or less.
  ///   - backoff: The time before each of them.
  ///   - time: Where the time comes from.
  ///   - isWorthIt: As for pauses that are alike.
  /// - Law: as for pauses that are alike; see `RetryLaws`.
  @inlinable
  public func retrying(
    _ count: Int, every backoff: Backoff, on time: TimeSource = .system,
    if isWorthIt: @escaping @Sendable (any Error) -> Bool = { !$0.isMiss }
  ) -> Cache {
    asked("retrying", "\(count)") { get in
      { key in
        let answer = get(key)
        if case .success = answer.state { return answer }
        if case .failure(let error) = answer.state, !isWorthIt(error) { return answer }
        return retried(answer, count, every: backoff, on: time, if: isWorthIt, get, key)
      }
    }
  }
}

/// Goes on after a first attempt, until one is kept, cancelled or the last: apart from the way of a
/// hit, which would pay for the closure.
@usableFromInline
func retried<Key: Sendable, Value>(
  _ first: Promise<Value>, _ count: Int, every backoff: Backoff, on time: TimeSource,
  if isWorthIt: @escaping @Sendable (any Error) -> Bool,
  _ get: @escaping @Sendable (Key) -> Promise<Value>, _ key: Key
) -> Promise<Value> {
  guard count > 0 else { return first }
  return Retrial(
    count: count, pause: backoff.pause, isWorthRetrying: isWorthIt, time: time,
    make: { get(key) }
  ).promise(after: first)
}

extension Fetcher {
  /// Returns this fetcher asked again after a failure, so many times at most; see
  /// ``Cache/retrying(_:every:on:if:)-(_,Duration,_,_)``.
  ///
  /// - Law: as for a cache; see `RetryingTests.testAFetcherIsRetriedToo`.
  @inlinable
  public func retrying(
    _ count: Int, every pause: Duration = .zero, on time: TimeSource = .system,
    if isWorthIt: @escaping @Sendable (any Error) -> Bool = { !$0.isMiss }
  ) -> Fetcher {
    Fetcher(cache.retrying(count, every: pause, on: time, if: isWorthIt))
  }

  /// Returns this fetcher asked again after a failure, with pauses that need not be alike.
  ///
  /// - Law: as for a cache.
  @inlinable
  public func retrying(
    _ count: Int, every backoff: Backoff, on time: TimeSource = .system,
    if isWorthIt: @escaping @Sendable (any Error) -> Bool = { !$0.isMiss }
  ) -> Fetcher {
    Fetcher(cache.retrying(count, every: backoff, on: time, if: isWorthIt))
  }
}
