import Foundation
import StrataCore

/// Runs steps against a level, and records all results.
final class LevelRun: Sendable {
  let cache: Cache<Int, Int>
  let patience: Patience
  let tempo: Tempo
  let ticker = Ticker()
  private let log = Lock<[Observation.Operation]>([])
  private let calls = Lock<
    [(id: Int, cancel: @Sendable () -> Void, wait: @Sendable () -> Void)]
  >(
    [])

  /// Opens the level at a location. By default, the location is new, so the level is empty.
  init(_ probe: LevelProbe, at place: String = "level-\(UUID().uuidString)") {
    cache = probe.open(place)
    (patience, tempo) = (probe.patience, probe.tempo)
    ticker.run()
  }

  /// The observation so far.
  var observation: Observation {
    Observation(operations: log.withLock { $0.sorted { $0.began < $1.began } })
  }

  /// Runs all steps. Each step settles before the next step begins.
  func waiting(_ steps: [Step]) -> Observation {
    for number in steps.indices { perform(number, steps[number])() }
    return observation
  }

  /// Begins all steps without waiting, then waits for all promises, and then reads the values of
  /// all keys.
  ///
  /// After a cancellation, reads the values more than once, because a cancelled write may still be
  /// in flight.
  func overlapping(_ steps: [Step]) -> Observation {
    for number in steps.indices { _ = perform(number, steps[number]) }
    for call in calls.withLock({ $0 }) { call.wait() }
    let wasCancelled = log.withLock { $0.contains(where: \.wasCancelled) }
    for _ in 0..<(wasCancelled ? 16 : 1) {
      for key in Set(steps.compactMap(\.action.key)).sorted() {
        perform(steps.count, Step(.get(key)))()
      }
    }
    var (seen, told) = (observation, Set<String>())
    seen.operations.removeAll { operation in
      operation.step > steps.count
        && !told.insert("\(operation.action) \(operation.answer)").inserted
    }
    return seen
  }

  /// Performs the next step and returns its result.
  func perform(_ action: Step.Action) -> Observation.Answer {
    perform(log.withLock { $0.count }, Step(action))()
    return log.withLock { $0.last?.answer } ?? .none
  }

  /// Performs a write from a low-priority task, and returns the result of the write.
  func performLast(_ action: Step.Action, in crowd: Crowd) -> Observation.Answer {
    let write = crowd.last {
      switch action {
      case .set(let key, let value): self.cache.set(key, value)
      case .remove(let key): self.cache.remove(key)
      case .clear: self.cache.clear()
      default: Promise(self.cache.memoryWarning())
      }
    }
    patience.wait(for: write)
    return write.outcome.map { Observation.Answer($0) } ?? .none
  }

  private func perform(_ number: Int, _ step: Step) -> @Sendable () -> Void {
    switch step.action {
    case .get(let key): return begin(number, step) { self.cache.get(key) }
    case .set(let key, let value): return begin(number, step) { self.cache.set(key, value) }
    case .remove(let key): return begin(number, step) { self.cache.remove(key) }
    case .clear: return begin(number, step) { self.cache.clear() }
    case .warn: return begin(number, step) { Promise(self.cache.memoryWarning()) }
    case .cancel(let ordinal): cancel(ordinal)
    case .rest, .settle, .advance: break
    }
    return {}
  }

  private func begin<Value>(
    _ number: Int, _ step: Step, _ call: () -> Promise<Value>
  ) -> @Sendable () -> Void {
    let began = ticker.now()
    let id = log.withLock { log in
      log.append(
        .init(step: number + 1, client: step.client, action: step.action, began: began))
      return log.count - 1
    }
    let promise = call()
    // Waits for the observer instead of the promise, because the promise settles shortly before the
    // observer records the result. The run retains the promise, and a pending promise retains its
    // observer. If the observer retained the run, a run whose promise never settles would never be
    // released.
    let told = Promise<Void> { continuation in
      _ = promise.observed { [weak self] outcome in
        self?.note(outcome, of: id)
        continuation.succeed()
      }
    }
    let wait: @Sendable () -> Void = { [patience] in patience.wait(for: told) }
    calls.withLock { $0.append((id, promise.cancel, wait)) }
    return wait
  }

  private func note<Value>(_ outcome: Promise<Value>.Outcome, of id: Int) {
    let now = ticker.now()
    log.withLock { log in
      log[id].settlements += 1
      log[id].settled = now
      log[id].answer = Observation.Answer(outcome)
    }
  }

  private func cancel(_ ordinal: Int) {
    let call = calls.withLock { calls in calls.isEmpty ? nil : calls[ordinal % calls.count] }
    guard let call else { return }
    log.withLock { if $0[call.id].settled == nil { $0[call.id].wasCancelled = true } }
    call.cancel()
  }
}
