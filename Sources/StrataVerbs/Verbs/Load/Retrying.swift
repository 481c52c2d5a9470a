extension Cache {
  /// Returns a cache that retries failed gets.
  ///
  /// By default, a get that misses isn't retried, because a miss isn't a temporary failure. When a
  /// get is cancelled, even during a delay, it makes no further attempts. Writes aren't retried,
  /// because a repeated write might undo a later write.
  ///
  ///     let found = memory + network.retrying(3)  // at most four attempts
  ///     let patient = network.retrying(5, backoff: .exponential(from: .seconds(1)).jittered())
  ///
  /// - Parameters:
  ///   - count: The maximum number of retries. Zero or less disables retrying. If `count` is
  ///     `.max`, there is no delay, and a synchronous level always fails, then a get never returns.
  ///   - backoff: The delay before each retry. The default is ``Backoff/standard``: about 100 ms,
  ///     200 ms, 400 ms, and so on, up to a minute.
  ///   - clock: The clock that measures the delays. The default is the clock of the cache.
  ///   - shouldRetry: A pure function that returns whether to retry after an error. It runs on the
  ///     thread that reports the failure, possibly twice for one failure. The default retries after
  ///     every error except a miss.
  /// - Complexity: Each attempt takes O(1) time. Attempts run in a loop, so they use O(1) stack
  ///   space. Hits don't allocate.
  /// - Law: `a.retrying(0) == a`, and `a.retrying(n)` makes at most n + 1 attempts and returns the
  ///   last answer. See `retry.none`, `retry.attempts`, and the other laws of `Laws.retry`, checked
  ///   by `RetryLaws`.
  @inlinable
  public func retrying(
    _ count: Int, backoff: Backoff = .standard, clock: TimeSource? = nil,
    if shouldRetry: @escaping @Sendable (any Error) -> Bool = { !$0.isMiss }
  ) -> Cache {
    retrying(count, backoff, clock, shouldRetry) { Cache.passingHits($0, $1) }
  }

  @usableFromInline
  func retrying(
    _ count: Int, _ backoff: Backoff, _ clock: TimeSource?,
    _ shouldRetry: @escaping @Sendable (any Error) -> Bool, get: @escaping HitGet
  ) -> Cache {
    let clock = clock ?? self.clock
    let shouldRetry = { @Sendable error in !error.isClosed && shouldRetry(error) }
    let work = RunningWork(.steps, plan.stage)
    return passingHits(
      .verb(plan, "retrying", [nil: .count(count)]), get, works: { $0.add(work) }
    ) { get in
      { key, answer in
        if case .failure(let error) = answer.state, !shouldRetry(error) { return answer }
        guard count > 0 else { return answer }
        let last = RetryLoop(
          count: count, delay: backoff.delay, shouldRetry: shouldRetry, clock: clock,
          make: { get(key) }
        ).promise(after: answer)
        work.follow(last)
        return last
      }
    }
  }
}
