extension Cache {
  /// A cache of plain values over this one of stamped values: each is stamped on its way in, and
  /// answered as long as it lives.
  ///
  /// - Parameters:
  ///   - arguments: What the plan shows of them.
  ///   - asking: How it is asked: made where the types are known, so that a hit is compiled for
  ///     them.
  ///   - stamp: Gives a value its age; called once for each `set`, on the caller's thread.
  @usableFromInline
  func aging<Plain>(
    _ verb: String, _ arguments: String,
    asking:
      @escaping @Sendable (
        _ get: @escaping @Sendable (Key) -> Promise<Stamped<Plain>>
      ) -> @Sendable (Key) -> Promise<Plain>,
    stamp: @escaping @Sendable (Key, Plain) -> Stamped<Plain>
  ) -> Cache<Key, Plain> where Value == Stamped<Plain> {
    let set = set
    return Cache<Key, Plain>(
      get: asking(get), set: { key, value in set(key, stamp(key, value)) },
      remove: remove, clear: clear, memoryWarning: memoryWarning,
      spine: Spine<Key, Plain>(
        plan: .verb(plan, name: verb, arguments: arguments), isReadOnly: spine.isReadOnly,
        forget: spine.forget,
        reporting: spine.reporting { $0.aging(verb, arguments, asking: asking, stamp: stamp) }))
  }

  /// Asks for values that live, and takes their stamps away.
  @inlinable
  static func living<Plain>(
    on time: TimeSource, _ get: @escaping @Sendable (Key) -> Promise<Stamped<Plain>>
  ) -> @Sendable (Key) -> Promise<Plain> where Value == Stamped<Plain> {
    let now = time.now
    return { key in
      let answer = get(key)
      if case .success(let stamped) = answer.state, stamped.isLive(at: now()) {
        return Promise(outcome: .success(stamped.value))
      }
      return notLiving(answer, now)
    }
  }

  /// What is not there yet, or over, or failed: kept apart, so that a hit is a short function.
  @inlinable
  @inline(never)
  static func notLiving<Plain>(
    _ answer: Promise<Stamped<Plain>>, _ now: @escaping @Sendable () -> TimeSource.Instant
  ) -> Promise<Plain> where Value == Stamped<Plain> {
    answer.flatMap { stamped in
      stamped.isLive(at: now()) ? Promise(outcome: .success(stamped.value)) : .miss
    }
  }
}
