extension Cache {
  /// Returns this level of stamped values with a maximum age.
  ///
  /// A get of a value that has reached this age or its deadline is a miss, so a sum reads the next
  /// level. The stamps of values don't change, so each level of a sum may have a different maximum
  /// age:
  ///
  ///     let near: Cache<String, Stamped<Data>> = .memory()
  ///     let far: Cache<String, Stamped<Data>> = .memory(capacity: 100_000)
  ///     let pages = (near.maxAge(.seconds(5)) + far).expiring(after: .seconds(60))
  ///
  /// A set or a back-fill keeps the creation time of its value, so a value doesn't become younger
  /// in an upper level. The verb uses the clock of the level. See ``clock``.
  ///
  /// - Parameter bound: The age from which a value is no longer returned. If zero or less, the
  ///   cache never returns a value.
  /// - Complexity: O(1). A hit reads the time as a hit of ``expiring(after:jitter:)`` does.
  /// - Law: `a.maxAge(x).maxAge(y) == a.maxAge(min(x, y))`: `time.bound`, `time.leastBound`. See
  ///   `TimeLaws`.
  @inlinable
  public func maxAge<Plain>(_ bound: Duration) -> Cache where Value == Stamped<Plain> {
    let (clock, most) = (clock, bound.wholeNanoseconds)
    return transformingGet(.maxAge, [nil: .duration(bound)]) { get in
      { key in
        let answer = get(key)
        if case .success(let stamped) = answer.state,
          clock.holds({ stamped.isYounger(than: most, at: $0) })
        {
          return answer
        }
        return Cache.youngSlow(answer, most, clock)
      }
    }
  }

  /// Handles a pending, old, or failed answer. This is a separate function to keep the code for a
  /// hit short.
  @usableFromInline
  static func youngSlow<Plain>(
    _ answer: Promise<Value>, _ most: Int64, _ clock: TimeSource
  ) -> Promise<Value> where Value == Stamped<Plain> {
    answer.flatMap { stamped in
      clock.holds { stamped.isYounger(than: most, at: $0) } ? Promise(stamped) : .miss
    }
  }
}

extension Stamped {
  /// Whether the value is valid and younger than an age in nanoseconds.
  @inlinable
  func isYounger(than age: Int64, at now: TimeSource.Instant) -> Bool {
    age > 0 && isValid(at: now) && now < storedAt.advanced(byNanoseconds: age)
  }
}

extension CachePlan.Kind {
  /// The kind of `maxAge(_:)`.
  @usableFromInline package static let maxAge: Self = "maxAge"
}
