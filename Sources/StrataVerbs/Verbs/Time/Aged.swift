extension Cache {
  /// Returns a cache whose gets return only the stamped values that are younger than a maximum age.
  ///
  /// When the value has reached the maximum age or its deadline, the get is a miss, so a sum reads
  /// the next level. This verb doesn't change the stamps. So each level of a sum can have a
  /// different maximum age:
  ///
  ///     let near: Cache<String, Stamped<Data>> = .memory()
  ///     let far: Cache<String, Stamped<Data>> = .memory(capacity: 100_000)
  ///     let pages = (near.aged(atMost: .seconds(5)) + far).expiring(after: .seconds(60))
  ///
  /// Copying a value to an upper level doesn't make it younger, because a `set` or a back-fill
  /// stores its creation time unchanged. This method uses the clock of the cache on which it is
  /// called. See ``clock``.
  ///
  /// - Parameter bound: The maximum age. Every value that a get returns is younger. Zero or less
  ///   means that the cache never returns a value.
  /// - Complexity: O(1). Hits read the clock in the same way as those of
  ///   ``expiring(after:jitter:)``.
  /// - Law: `a.aged(atMost: x).aged(atMost: y) == a.aged(atMost: min(x, y))`. See `time.bound` and
  ///   `time.leastBound`, checked by `TimeLaws`.
  @inlinable
  public func aged<Plain>(atMost bound: Duration) -> Cache where Value == Stamped<Plain> {
    let (clock, most) = (clock, bound.wholeNanoseconds)
    return transformingGet(.aged, ["atMost": .duration(bound)]) { get in
      { key in
        let answer = get(key)
        if case .success(let stamped) = answer.state,
          clock.isNow(from: stamped.firstUse, until: stamped.end(ofAge: most))
        {
          return answer
        }
        return Cache.youngSlow(answer, most, clock)
      }
    }
  }

  /// Handles a get that is pending, has failed, or has found a value that is too old. It's a
  /// separate function so that the inlined code for a hit stays short.
  @usableFromInline
  static func youngSlow<Plain>(
    _ answer: Promise<Value>, _ most: Int64, _ clock: TimeSource
  ) -> Promise<Value> where Value == Stamped<Plain> {
    answer.flatMap { stamped in
      clock.isNow(from: stamped.firstUse, until: stamped.end(ofAge: most))
        ? Promise(stamped) : .miss
    }
  }
}

extension Stamped {
  /// The time from which on the value has expired, or is at least `age` nanoseconds old. With an
  /// age of zero or less, it's before the first use of the value.
  @inlinable
  func end(ofAge age: Int64) -> TimeSource.Instant {
    age > 0
      ? min(deadline, storedAt.advanced(byNanoseconds: age))
      : TimeSource.Instant(nanoseconds: .min)
  }
}

extension CachePlan.Kind {
  /// The kind of `aged(atMost:)`.
  @usableFromInline package static let aged: Self = "aged"
}
