extension Cache {
  /// Returns this level of stamped values with a bound of its own on their age.
  ///
  /// A value as old as that, or past its deadline, is a miss of this level, and the level beneath
  /// is asked; its stamps stay as they are. Of a sum, so, each level may have its own bound, and
  /// the least one wins where it is read:
  ///
  ///     let near: Cache<String, Stamped<Data>> = .memory()
  ///     let far: Cache<String, Stamped<Data>> = .memory(capacity: 100_000)
  ///     let pages = (near.maxAge(.seconds(5)) + far).expiring(after: .seconds(60))
  ///
  /// What is set or back-filled keeps its birth, so promotion makes nothing young.
  ///
  /// - Parameters:
  ///   - bound: The age from which on a value is not answered. With zero or less none is.
  ///   - time: Where the time comes from; a memory level beneath has a clock of its own, which has
  ///     to be the same: `.memory(on: time)`.
  /// - Complexity: O(1); one look at the clock for each hit.
  /// - Law: `a.maxAge(x).maxAge(y) == a.maxAge(min(x, y))`: `time.bound`, `time.leastBound`; see
  ///   `TimeLaws`.
  @inlinable
  public func maxAge<Plain>(
    _ bound: Duration, on time: TimeSource = .system
  ) -> Cache where Value == Stamped<Plain> {
    let (now, most) = (time.now, bound.wholeNanoseconds)
    return bounded(bound) { get in
      { key in
        let answer = get(key)
        if case .success(let stamped) = answer.state,
          stamped.isYounger(than: most, at: now())
        {
          return answer
        }
        return Cache.notYoung(answer, most, now)
      }
    }
  }

  /// What is not there yet, or too old, or failed: kept apart, so that a hit is a short function.
  @inlinable
  @inline(never)
  static func notYoung<Plain>(
    _ answer: Promise<Value>, _ most: Int64, _ now: @escaping @Sendable () -> TimeSource.Instant
  ) -> Promise<Value> where Value == Stamped<Plain> {
    answer.flatMap { $0.isYounger(than: most, at: now()) ? Promise($0) : .miss }
  }

  @usableFromInline
  func bounded<Plain>(
    _ bound: Duration,
    asking:
      @escaping @Sendable (
        _ get: @escaping @Sendable (Key) -> Promise<Value>
      ) -> @Sendable (Key) -> Promise<Value>
  ) -> Cache where Value == Stamped<Plain> {
    Cache(
      get: asking(get), set: set, remove: remove, clear: clear, memoryWarning: memoryWarning,
      spine: Spine(
        plan: .verb(plan, name: "maxAge", arguments: bound.formattedExactly),
        isReadOnly: spine.isReadOnly, forget: spine.forget,
        reporting: spine.reporting { $0.bounded(bound, asking: asking) }))
  }
}

extension Stamped {
  /// Whether it lives, and is younger than a number of nanoseconds.
  @inlinable
  func isYounger(than age: Int64, at now: TimeSource.Instant) -> Bool {
    age > 0 && isLive(at: now) && now < storedAt.advanced(byNanoseconds: age)
  }
}
