/// The number or fraction of failures that opens a circuit.
///
///     let guarded = remote.breakingCircuit(after: .rate(0.5), retryAfter: .seconds(30))
public struct CircuitLimit: Equatable, Sendable {
  let failures: Int
  let rate: (fraction: Double, calls: Int, window: Duration)?

  /// Returns a limit that opens the circuit after `count` consecutive failures. Counts below one
  /// count as one.
  public static func failures(_ count: Int) -> CircuitLimit {
    CircuitLimit(failures: max(1, count), rate: nil)
  }

  /// Returns a limit that opens the circuit if at least a given fraction of the calls in a time
  /// window fails.
  ///
  /// - Parameters:
  ///   - fraction: The fraction of failed calls, from 0 to 1, that opens the circuit. Outside of
  ///     this range, it counts as the nearer bound, and NaN counts as 1.
  ///   - calls: The minimum number of calls in the window before the circuit can open. The default
  ///     is 20. Numbers below one count as one.
  ///   - window: The length of the time window. The default is 60 seconds, and a negative length
  ///     counts as zero. Calls leave the window in groups, each of which covers a tenth of it.
  public static func rate(
    _ fraction: Double, of calls: Int = 20, within window: Duration = .seconds(60)
  ) -> CircuitLimit {
    let bounded = fraction.isNaN ? 1 : min(max(fraction, 0), 1)
    return CircuitLimit(failures: .max, rate: (bounded, max(1, calls), max(.zero, window)))
  }

  /// Returns whether two limits are equal.
  public static func == (one: CircuitLimit, other: CircuitLimit) -> Bool {
    one.arguments == other.arguments
  }

  var arguments: CachePlan.Arguments {
    guard let rate else { return ["after": .count(failures)] }
    return [
      "after": .fraction(rate.fraction), "of": .count(rate.calls), "within": .duration(rate.window),
    ]
  }
}

/// The state of a circuit breaker.
final class Circuit: Sendable {
  typealias Instant = TimeSource.Instant

  /// The decision to run a call normally, to run it as a probe, or to refuse it.
  enum Pass {
    case closed(generation: Int)
    case probe(generation: Int)
    case refused(until: Instant)
  }

  /// A change of the circuit's state.
  enum Change { case closed, opened(until: Instant) }

  fileprivate enum Phase {
    case closed
    case open(until: Instant)
    /// A probe is in flight. When it hangs, another probe can run at `until` or later.
    case halfOpen(until: Instant)
  }

  fileprivate struct State {
    var phase = Phase.closed
    var generation = 0
    var failures = 0
    var parts: [(start: Instant, failures: Int, calls: Int)] = []
  }

  private let limit: CircuitLimit
  private let delay: Duration
  private let clock: TimeSource
  private let state = Lock(State())

  init(_ limit: CircuitLimit, _ delay: Duration, _ clock: TimeSource) {
    (self.limit, self.delay, self.clock) = (limit, delay, clock)
  }

  /// Decides whether a call may run. When a call that may run has ended, the caller must call
  /// `leave(_:_:)`.
  func enter() -> Pass {
    let closed = state.withLock { state -> Pass? in
      if case .closed = state.phase { .closed(generation: state.generation) } else { nil }
    }
    if let closed { return closed }
    let now = clock.now()  // Outside the lock, because it may be the user's clock.
    return state.withLock { state in
      switch state.phase {
      case .closed: return .closed(generation: state.generation)
      case .open(let until), .halfOpen(let until):
        guard now >= until else { return .refused(until: until) }
        state.phase = .halfOpen(until: now.advanced(by: max(delay, .nanoseconds(1))))
        state.generation += 1
        return .probe(generation: state.generation)
      }
    }
  }

  /// Ends a call.
  ///
  /// - Parameter hasFailed: Whether the call failed, or `nil` if it was cancelled or refused.
  /// - Returns: The resulting change of the circuit's state, or `nil` if the state didn't change.
  func leave(_ pass: Pass, _ hasFailed: Bool?) -> Change? {
    if case .closed(let generation) = pass, limit.rate == nil, hasFailed != true {
      if hasFailed == false {
        state.withLock { if $0.generation == generation { $0.failures = 0 } }
      }
      return nil
    }
    let now = clock.now()
    return state.withLock { state in
      switch (pass, state.phase) {
      case (.closed(state.generation), .closed):
        guard let hasFailed, state.note(hasFailed, limit, at: now) else { return nil }
        return open(&state, at: now)
      case (.probe(state.generation), .halfOpen):
        switch hasFailed {
        case nil:  // The probe didn't reach the level, so the next call is a new probe.
          state.phase = .open(until: now)
          return nil
        case true?: return open(&state, at: now)
        case false?:
          (state.phase, state.failures, state.parts) = (.closed, 0, [])
          return .closed
        }
      default: return nil
      }
    }
  }

  private func open(_ state: inout State, at now: Instant) -> Change {
    let until = now.advanced(by: delay)
    state.phase = .open(until: until)
    state.generation += 1
    return .opened(until: until)
  }
}

extension Circuit.State {
  /// Records the outcome of a call that ran while the circuit was closed, and returns whether the
  /// limit has been reached.
  fileprivate mutating func note(
    _ hasFailed: Bool, _ limit: CircuitLimit, at now: Circuit.Instant
  ) -> Bool {
    guard let rate = limit.rate else {
      failures = hasFailed ? failures + 1 : 0
      return failures >= limit.failures
    }
    parts.removeAll { $0.start.advanced(by: rate.window) <= now }
    if parts.last.map({ $0.start.advanced(by: rate.window / 10) <= now }) ?? true {
      parts.append((now, 0, 0))
    }
    parts[parts.count - 1].calls += 1
    if hasFailed { parts[parts.count - 1].failures += 1 }
    let (failed, calls) = parts.reduce((0, 0)) { ($0.0 + $1.failures, $0.1 + $1.calls) }
    return hasFailed && calls >= rate.calls && Double(failed) >= rate.fraction * Double(calls)
  }
}
