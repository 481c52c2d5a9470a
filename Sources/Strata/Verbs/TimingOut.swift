extension Cache {
  /// Returns this cache with a limit to the time that a get may take.
  ///
  /// A get that has no answer by then fails with ``CacheError/timedOut``, which in a sum lets the
  /// level beneath answer, and lets go of the work, which stops if nobody else wants it. Gets
  /// alone: a write that was cut off would leave open what is stored.
  ///
  ///     let found = memory + network.timingOut(after: .seconds(5))
  ///
  /// - Parameters:
  ///   - limit: The time allowed to each get, from its call; zero or less allows only what is there
  ///     at once.
  ///   - time: Where the time comes from.
  /// - Complexity: O(1). A get that is answered at once costs nothing and starts no timer.
  /// - Law: `a.timingOut(after: .seconds(Int64.max)) == a`, and no get outlasts its limit:
  ///   `timeLimit.patience`, `timeLimit.bound` and others of `Laws.timeLimit`; see `TimeLimitLaws`.
  @inlinable
  public func timingOut(after limit: Duration, on time: TimeSource = .system) -> Cache {
    asked("timingOut", "after: \(limit.formattedExactly)") { get in
      { key in
        let answer = ask(get, key)
        if answer.isReady { return answer }
        return answer.timeout(after: limit, on: time)
      }
    }
  }
}

extension Fetcher {
  /// Returns this fetcher with a limit to the time that a get may take; see
  /// ``Cache/timingOut(after:on:)``.
  ///
  /// - Law: as for a cache; see `TimingOutTests.testAFetcherTimesOutToo`.
  @inlinable
  public func timingOut(after limit: Duration, on time: TimeSource = .system) -> Fetcher {
    Fetcher(cache.timingOut(after: limit, on: time))
  }
}
