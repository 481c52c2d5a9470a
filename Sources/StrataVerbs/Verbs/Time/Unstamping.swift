extension Cache {
  /// Returns a cache of plain values over this cache of stamped values. Its `set` adds a creation
  /// time and a deadline to the value.
  ///
  /// - Parameters:
  ///   - kind: The kind of the verb. Plans show the kind as the verb's name.
  ///   - arguments: The arguments that plans show.
  ///   - get: A closure that creates the new cache's `get` function from this cache's `get`
  ///     function. Each caller passes a separate closure, so the compiler can specialize the code
  ///     for a hit.
  ///   - stamp: A closure that stamps a new value. It runs once for each `set`, on the caller's
  ///     thread.
  @usableFromInline
  func unstamping<Plain>(
    _ kind: CachePlan.Kind, _ arguments: CachePlan.Arguments,
    get: @escaping GetTransform<Plain>,
    stamp: @escaping @Sendable (Key, Plain) -> Stamped<Plain>
  ) -> Cache<Key, Plain> where Value == Stamped<Plain> {
    transforming(.verb(plan, kind, arguments), conduct: metadata.conduct) { cache, _ in
      let below = cache.operations
      return CacheOperations<Key, Plain>(
        get: get(below.get), set: { key, value in below.set(key, stamp(key, value)) },
        remove: below.remove, clear: below.clear, memoryWarning: below.memoryWarning,
        dropLoad: below.dropLoad, expire: below.expire)
    }
  }

  /// Returns a get function that removes the stamp of an unexpired value. When the value has
  /// expired, the get is a miss.
  @inlinable
  static func unexpired<Plain>(
    _ clock: TimeSource, _ get: @escaping @Sendable (Key) -> Promise<Stamped<Plain>>
  ) -> @Sendable (Key) -> Promise<Plain> where Value == Stamped<Plain> {
    { key in
      let answer = get(key)
      if case .success(let stamped) = answer.state,
        clock.isNow(from: stamped.firstUse, until: stamped.deadline)
      {
        return Promise(outcome: .success(stamped.value))
      }
      return unexpiredSlow(answer, clock)
    }
  }

  /// Handles a get that is pending, has failed, or has found an expired value. It's a separate
  /// function so that the inlined code for a hit stays short.
  @usableFromInline
  static func unexpiredSlow<Plain>(
    _ answer: Promise<Stamped<Plain>>, _ clock: TimeSource
  ) -> Promise<Plain> where Value == Stamped<Plain> {
    answer.flatMap { stamped in
      clock.isNow(from: stamped.firstUse, until: stamped.deadline)
        ? Promise(outcome: .success(stamped.value)) : .miss
    }
  }
}
