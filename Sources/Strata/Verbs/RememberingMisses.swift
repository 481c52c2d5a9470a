extension Cache {
  /// Returns this cache with its misses remembered for some time: the level is not asked again for
  /// what it has just said it has not.
  ///
  /// A miss of a network is remembered with its error (a 404 or 410); other failures are not,
  /// unless asked for. A `set`, `remove` or `clear` ends it, and what a get that began before then
  /// says is not remembered. Put it around the level whose misses are dear, beneath those that
  /// store:
  ///
  ///     let pages = memory + network.rememberingMisses(for: .seconds(30))
  ///
  /// - Parameters:
  ///   - lifetime: How long a miss is remembered; with zero or less it is not.
  ///   - capacity: How many misses are remembered at most, each of another key; when one more comes
  ///     the oldest is forgotten. With zero or less none is remembered.
  ///   - time: Where the time comes from.
  ///   - isRemembered: Which errors are remembered, misses unless told otherwise. Called with each
  ///     failure, on the thread where it happened.
  /// - Complexity: O(1); a short critical section for each get and write, and a look at the clock
  ///   for what is remembered.
  /// - Law: `misses.definition`, `misses.writes` of `Laws.misses`; see `MissLaws`.
  public func rememberingMisses(
    for lifetime: Duration, capacity: Int = 10_000, on time: TimeSource = .system,
    where isRemembered: @escaping @Sendable (any Error) -> Bool = { $0.isMiss }
  ) -> Cache {
    rememberingMisses(
      in: Misses(for: lifetime, capacity: capacity, on: time), arguments: lifetime, isRemembered)
  }

  private func rememberingMisses(
    in misses: Misses<Key>, arguments: Duration,
    _ isRemembered: @escaping @Sendable (any Error) -> Bool
  ) -> Cache {
    let (get, set, remove, clear, forget) = (get, set, remove, clear, spine.forget)
    return Cache(
      get: { key in
        let hash = key.hashValue
        let (miss, mark) = misses.look(hash)
        if let miss, let error = misses.error(of: miss, key) { return Promise(error: error) }
        return get(key).observed { outcome in
          guard let error = outcome.error, isRemembered(error) else { return }
          misses.remember(key, hash, error, unlessWrittenSince: mark)
        }
      },
      set: { key, value in misses.forgetting(key.hashValue) { set(key, value) } },
      remove: { key in misses.forgetting(key.hashValue) { remove(key) } },
      clear: { misses.forgetting(nil, clear) },
      memoryWarning: memoryWarning,
      spine: Spine(
        plan: .verb(
          plan, name: "rememberingMisses", arguments: "for: \(arguments.formattedExactly)"),
        isReadOnly: spine.isReadOnly,
        forget: { key in
          forget(key)  // First: a get between the two would bring an old miss back from beneath.
          misses.forget(key?.hashValue)
        },
        reporting: spine.reporting {
          $0.rememberingMisses(in: misses, arguments: arguments, isRemembered)
        }))
  }
}

extension Fetcher {
  /// Returns this fetcher with its misses remembered for some time; see
  /// ``Cache/rememberingMisses(for:capacity:on:where:)``.
  ///
  /// A write of the cache made with it ends what is remembered of its key.
  ///
  /// - Parameters:
  ///   - lifetime: How long a miss is remembered; with zero or less it is not.
  ///   - capacity: How many misses are remembered at most, each of another key; when one more comes
  ///     the oldest is forgotten. With zero or less none is remembered.
  ///   - time: Where the time comes from.
  ///   - isRemembered: Which errors are remembered, misses unless told otherwise.
  /// - Law: see `RememberingMissesTests.testAWriteOfTheCacheMadeOfAFetcherEndsAMiss`.
  public func rememberingMisses(
    for lifetime: Duration, capacity: Int = 10_000, on time: TimeSource = .system,
    where isRemembered: @escaping @Sendable (any Error) -> Bool = { $0.isMiss }
  ) -> Fetcher {
    Fetcher(
      cache.rememberingMisses(for: lifetime, capacity: capacity, on: time, where: isRemembered))
  }
}
