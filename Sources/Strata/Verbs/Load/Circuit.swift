/// The failures that open a circuit.
///
///     let guarded = remote.breakingCircuit(after: .rate(0.5), retryAfter: .seconds(30))
public struct CircuitLimit: Equatable, Sendable {
  let failures: Int
  let rate: (fraction: Double, calls: Int, window: Duration)?

  /// A number of failures without a success in between, at least one.
  public static func failures(_ count: Int) -> CircuitLimit {
    CircuitLimit(failures: max(1, count), rate: nil)
  }

  /// A fraction of failed calls within a window of time.
  ///
  /// - Parameters:
  ///   - fraction: The fraction, from 0 to 1.
  ///   - calls: The number of calls that the window must have before the fraction counts, at least
  ///     one.
  ///   - window: The length of the window, measured to within a tenth.
  public static func rate(
    _ fraction: Double, of calls: Int = 20, within window: Duration = .seconds(60)
  ) -> CircuitLimit {
    CircuitLimit(failures: .max, rate: (fraction, max(1, calls), window))
  }

  /// Returns whether two limits are the same.
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

  /// The permission of one call.
  enum Pass {
    case closed(generation: Int)
    case probe(generation: Int)
    case refused(until: Instant)
  }

  /// A change of the state.
  enum Change { case closed, opened(until: Instant) }

  fileprivate enum Phase {
    case closed
    case open(until: Instant)
    /// A probe is in flight. Another one may run after `until`, because a probe may hang.
    case halfOpen(until: Instant)
  }

  fileprivate struct State {
    var phase = Phase.closed
    var generation = 0
    var failures = 0
    var parts: [(start: Instant, failures: Int, calls: Int)] = []
    /// The number of refused writes. The next two fields have the last refused write of each key by
    /// its hash, and of all keys.
    var refusals = 0
    var refused: [Int: Int] = [:]
    var refusedOfAll: Int?
  }

  private let limit: CircuitLimit
  private let delay: Duration
  private let clock: TimeSource
  private let state = Lock(State())

  init(_ limit: CircuitLimit, _ delay: Duration, _ clock: TimeSource) {
    (self.limit, self.delay, self.clock) = (limit, delay, clock)
  }

  /// Begins a call.
  func enter() -> Pass {
    state.withLock { state in
      switch state.phase {
      case .closed: return .closed(generation: state.generation)
      case .open(let until), .halfOpen(let until):
        let now = clock.now()
        guard now >= until else { return .refused(until: until) }
        state.phase = .halfOpen(until: now.advanced(by: max(delay, .nanoseconds(1))))
        state.generation += 1
        return .probe(generation: state.generation)
      }
    }
  }

  /// Ends a call.
  ///
  /// - Parameter hasFailed: Whether it failed, or `nil` if it was cancelled.
  /// - Returns: The change of the state, if any.
  func leave(_ pass: Pass, _ hasFailed: Bool?) -> Change? {
    state.withLock { state in
      switch (pass, state.phase) {
      case (.closed(state.generation), .closed):
        guard let hasFailed, state.note(hasFailed, limit, clock) else { return nil }
        return open(&state)
      case (.probe(state.generation), .halfOpen):
        switch hasFailed {
        case nil:  // The next call is a probe.
          state.phase = .open(until: clock.now())
          return nil
        case true?: return open(&state)
        case false?:
          (state.phase, state.failures, state.parts) = (.closed, 0, [])
          return .closed
        }
      default: return nil
      }
    }
  }

  private func open(_ state: inout State) -> Change {
    let until = clock.now().advanced(by: delay)
    state.phase = .open(until: until)
    state.generation += 1
    return .opened(until: until)
  }
}

extension Circuit /* : writes that were refused */ {
  /// The number of writes refused until now.
  var refusals: Int { state.withLock { $0.refusals } }

  /// Records that the level doesn't have the last write of a key, or of all keys for `nil`.
  func refuse(_ hash: Int?) {
    state.withLock { state in
      state.refusals += 1
      if let hash { state.refused[hash] = state.refusals }
      guard hash == nil || state.refused.count > 10_000 else { return }
      (state.refused, state.refusedOfAll) = ([:], state.refusals)
    }
  }

  /// Records that the level has accepted a write of a key, or of all keys for `nil`.
  ///
  /// - Parameter seen: The number of refusals when the write was called. Later refusals still hold.
  func accept(_ hash: Int?, seen: Int) {
    state.withLock { state in
      if let hash {
        if let last = state.refused[hash], last <= seen { state.refused[hash] = nil }
      } else {
        state.refused = state.refused.filter { $0.value > seen }
        if let last = state.refusedOfAll, last <= seen { state.refusedOfAll = nil }
      }
    }
  }

  /// Returns whether the level may have an older value than the last write, for the key and for all
  /// keys.
  func mustRemove(_ hash: @autoclosure () -> Int) -> (key: Bool, all: Bool) {
    let (all, isEmpty) = state.withLock { ($0.refusedOfAll != nil, $0.refused.isEmpty) }
    guard !all else { return (true, true) }
    guard !isEmpty else { return (false, false) }
    let hash = hash()
    return (state.withLock { $0.refused[hash] != nil }, false)
  }
}

extension Circuit.State {
  /// Counts a call of a closed circuit. Returns whether the limit is reached.
  fileprivate mutating func note(
    _ hasFailed: Bool, _ limit: CircuitLimit, _ clock: TimeSource
  ) -> Bool {
    guard let rate = limit.rate else {
      failures = hasFailed ? failures + 1 : 0
      return failures >= limit.failures
    }
    let now = clock.now()
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
