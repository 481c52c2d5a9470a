import StrataVerbs

/// Starts work, and starts it again after each failure, at most `count` times.
///
/// You pass the work as a closure, because a promise has already begun and can't run again. A
/// cancelled attempt isn't retried, and cancels the result. Conversely, cancelling the result ends
/// the current attempt or delay. For the gets of a cache, use `retrying` instead.
///
///     let page = retry(3, every: .seconds(1)) { download() }  // at most four attempts
///
/// - Parameters:
///   - count: The maximum number of retries. Zero or less disables retrying.
///   - delay: The time between a failure and the next attempt. The default is zero.
///   - clock: The clock that measures the delay. By default, it's the system clock.
///   - make: A closure that starts one attempt. Attempts never overlap. The closure is first called
///     on the caller's thread. For a later attempt, it's called on the thread that reports the
///     failure or, after a delay, on the clock's thread.
/// - Returns: A promise that settles with the first success or, if every attempt fails, with the
///   last failure.
/// - Complexity: O(1) in stack space, for any number of attempts.
/// - Law: `retry(0) { p } == p`. See `RetryTests.testZeroAndFewerRetriesAreOneAttempt`.
public func retry<Value: Sendable>(
  _ count: Int, every delay: Duration = .zero, clock: TimeSource = .system,
  _ make: @escaping @Sendable () -> Promise<Value>
) -> Promise<Value> {
  Fetcher<Int, Value> { _ in make() }
    .retrying(count, backoff: .constant(delay), clock: clock) { _ in true }.get(0)
}
