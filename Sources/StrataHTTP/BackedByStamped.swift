import StrataNetwork

extension Cache {
  /// Returns a cache of plain values that reads `origin` if a value is missing or expired.
  ///
  /// The origin decides how long each value stays fresh. So a value may already have expired when
  /// it arrives from the origin. In this case, the get that loaded the value returns it, but the
  /// levels above don't store it. A sum with `expiring(after:jitter:)` would miss instead.
  ///
  ///     let memory: Cache<URL, Stamped<Article>> = .memory()
  ///     let articles = memory.backed(
  ///       byStamped: .http(storedIn: .disk("http")) <*> .stamped(.json()))  // Cache<URL, Article>
  ///
  /// - Parameters:
  ///   - origin: The fetcher of stamped values, such as an HTTP level.
  ///   - clock: The time source of the levels and of the origin. It also provides the creation time
  ///     of each value that a `set` stores. Such a value doesn't expire. The default is the clock
  ///     of the levels or, if they have none, the clock of the origin.
  /// - Complexity: O(1) for each get and each `set`. A hit reads the clock once.
  /// - Law: The levels above the origin never return a value at or after its deadline. See
  ///   `BackedByStampedTests`.
  public func backed<Plain>(
    byStamped origin: Fetcher<Key, Stamped<Plain>>, clock: TimeSource? = nil
  ) -> Cache<Key, Plain> where Value == Stamped<Plain> {
    let clock = clock ?? (self + origin).clock
    let now = clock.now
    let plan = CachePlan.verb(self.plan, "backed", ["byStamped": .plan(origin.plan)])
    return (holdingUnexpired(now) + origin).clocked(by: clock).transforming(plan) { cache, _ in
      let below = cache.operations
      return CacheOperations<Key, Plain>(
        get: { key in
          let answer = below.get(key)
          if case .success(let stamped)? = answer.outcome { return Promise(stamped.value) }
          return answer.map(\.value)
        },
        set: { key, value in below.set(key, Stamped(value, storedAt: now())) },
        remove: below.remove, clear: below.clear, memoryWarning: below.memoryWarning,
        dropLoad: below.dropLoad, expire: below.expire)
    }
  }

  /// Returns a cache that treats expired values as missing: a get misses, and a `set` of an expired
  /// value removes the key.
  private func holdingUnexpired<Plain>(_ now: @escaping @Sendable () -> TimeSource.Instant) -> Cache
  where Value == Stamped<Plain> {
    transforming(plan) { cache, _ in
      var result = cache.operations
      let (get, set, remove) = (result.get, result.set, result.remove)
      result.get = { key in
        let answer = get(key)
        if case .success(let stamped)? = answer.outcome, stamped.isValid(at: now()) {
          return answer
        }
        return answer.flatMap { $0.isValid(at: now()) ? Promise($0) : .miss }
      }
      result.set = { key, value in value.isValid(at: now()) ? set(key, value) : remove(key) }
      return result
    }
  }
}
