import StrataVerbs

extension Laws {
  /// A function that adds a circuit breaker to a cache. This breaker opens after the given number
  /// of consecutive failures, and stays open for the given number of milliseconds.
  public typealias CircuitBreaking =
    @Sendable (
      _ cache: Cache<Int, Int>, _ failures: Int, _ milliseconds: Int, TimeSource
    ) -> Cache<Int, Int>

  /// The laws of `breakingCircuit(after:retryAfter:clock:)`.
  public static var circuit: Laws {
    circuit {
      $0.breakingCircuit(after: .failures($1), retryAfter: .milliseconds($2), clock: $3)
    }
  }

  /// Returns laws that check your own circuit breaker.
  public static func circuit(_ verb: @escaping CircuitBreaking) -> Laws {
    let alone = LawDomain().with {
      $0.isSequential = true
      $0.writes = false
      $0.steps = 30
    }
    return Laws(
      "circuit",
      [
        Law(
          "circuit.transparency", "a.breakingCircuit(after: .max) == a",
          "A circuit that never opens has no effect."
        ) {
          verb($0[0] + $0[1], .max, 1_000, $0.time)
        } is: {
          $0[0] + $0[1]
        },
        Law(
          "circuit.definition", "two failures: nothing is called for 3 ms, and then one probe",
          "An open circuit fails gets without a call. After the delay, one call closes or reopens it. "
            + "A call that was cancelled or refused before it reached the level isn't counted.",
          in: alone
        ) {
          withoutTimes(verb($0[0], 2, 3, $0.time))
        } is: {
          withoutTimes(definedCircuit($0[0], failures: 2, .milliseconds(3), $0.time))
        },
      ])
  }
}

/// Replaces each open-circuit error with a fixed one, because implementations may differ in the
/// stage and the time in this error.
@Sendable private func withoutTimes(_ cache: Cache<Int, Int>) -> Cache<Int, Int> {
  cache.transformingGet("withoutTimes") { get in
    { key in
      get(key).recover { error -> Promise<Int> in
        guard case .circuitOpen? = error as? CacheError else { throw error }
        throw CacheError.overloaded(stage: "open", waiting: 0)
      }
    }
  }
}

/// The reference implementation of a circuit breaker, for operations that don't overlap.
@Sendable func definedCircuit(
  _ cache: Cache<Int, Int>, failures limit: Int, _ delay: Duration, _ time: TimeSource
) -> Cache<Int, Int> {
  let state = Lock((failures: 0, openUntil: nil as TimeSource.Instant?))
  return cache.transformingGet("definedCircuit") { get in
    { key in
      if let end = state.withLock({ $0.openUntil }), time.now() < end {
        return Promise(error: CacheError.circuitOpen(stage: "", until: end))
      }
      return get(key).observed { outcome in
        state.withLock { state in
          if outcome.isCancelled || outcome.error?.isRefusal == true { return }
          guard let error = outcome.error, !error.isMiss else { return state = (0, nil) }
          state.failures += 1
          guard state.failures >= limit else { return }
          state.openUntil = time.now().advanced(by: delay)
        }
      }
    }
  }
}
