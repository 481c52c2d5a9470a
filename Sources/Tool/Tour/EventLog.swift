import Strata

/// A log of the events in the tour's pipelines, which shows the tour whether a step has succeeded.
final class EventLog: Sendable {
  private struct State {
    var events: [CacheEvent] = []
    var waiting: [(condition: @Sendable ([CacheEvent]) -> Bool, continuation: Continuation)] = []
  }
  private typealias Continuation = Promise<Void>.Continuation

  private let state = Lock(State())

  /// An observer that records events.
  var observer: CacheObserver { CacheObserver { self.note($0) } }

  /// Removes all events.
  func reset() { state.withLock { $0.events = [] } }

  /// The lowest stage that returned a value for a get, or `nil` if no stage returned a value.
  var answerer: Stage? {
    let events = state.withLock { $0.events }
    return Stage.allCases.last { events.contains($0, .get) }
  }

  /// Waits until the given stages have stored a value, because a get doesn't wait for its
  /// back-fills.
  ///
  /// - Throws: A ``StepFailure`` if a stage failed to store the value, or `CacheError.timedOut`
  ///   after two seconds.
  func filled(_ stages: [Stage]) async throws {
    try await until { events in stages.allSatisfy { events.contains($0, .set, isDone: false) } }
      .timeout(after: .seconds(2)).value
    let events = state.withLock { $0.events }
    for stage in stages where !events.contains(stage, .set) {
      let event = events.last { $0.stage == stage.rawValue && $0.operation == .set }
      throw StepFailure(description: event?.description ?? stage.rawValue)
    }
  }

  private func until(_ condition: @escaping @Sendable ([CacheEvent]) -> Bool) -> Promise<Void> {
    Promise { continuation in
      let isMet = state.withLock { state in
        let isMet = condition(state.events)
        if !isMet { state.waiting.append((condition, continuation)) }
        return isMet
      }
      if isMet { continuation.succeed(()) }
    }
  }

  private func note(_ event: CacheEvent) {
    let met = state.withLock { state in
      state.events.append(event)
      let met = state.waiting.filter { $0.condition(state.events) }
      state.waiting.removeAll { $0.condition(state.events) }
      return met
    }
    for waiter in met { waiter.continuation.succeed(()) }
  }
}

extension [CacheEvent] {
  /// Whether the events contain a successful operation of a stage. Without `isDone`, a failed
  /// operation is also accepted.
  fileprivate func contains(
    _ stage: Stage, _ operation: CacheEvent.Operation, isDone: Bool = true
  ) -> Bool {
    contains { event in
      guard event.stage == stage.rawValue, event.operation == operation else { return false }
      if isDone, case .success = event.outcome { return true }
      return !isDone
    }
  }
}
