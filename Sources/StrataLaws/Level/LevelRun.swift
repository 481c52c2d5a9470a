import Foundation
import StrataVerbs

/// Runs steps against a level, and records all results.
final class LevelRun: Sendable {
  /// The level as each client sees it. Most levels have one handle, which all clients share.
  let caches: [Cache<Int, Int>]
  let patience: Patience
  let tempo: Tempo
  let tally: LevelTally
  let ticker = Ticker()
  /// Runs at one location share this object. When the last of them releases it, it deletes what the
  /// level has created there.
  private let place: LevelPlace
  private let log = Lock<[LawObservation.Operation]>([])
  private let calls = Lock<
    [(id: Int, cancel: @Sendable () -> Void, wait: @Sendable () -> Void)]
  >(
    [])

  /// Opens the level at a location. By default, the location is new, so the level is empty.
  init(_ probe: LevelProbe, at place: LevelPlace = LevelPlace()) {
    (self.place, caches) = (place, [probe.open(place)])
    (patience, tempo, tally) = (probe.patience, probe.tempo, probe.tally)
    ticker.run()
  }

  /// Creates a run against the caches of several clients.
  init(_ caches: [Cache<Int, Int>], like probe: LevelProbe) {
    (self.place, self.caches) = (LevelPlace(), caches)
    (patience, tempo, tally) = (probe.patience, probe.tempo, probe.tally)
    ticker.run()
  }

  var cache: Cache<Int, Int> { caches[0] }

  /// The observation so far.
  var observation: LawObservation {
    LawObservation(operations: log.withLock { $0.sorted { $0.began < $1.began } })
  }

  /// Runs all steps one after another, so each operation settles before the next one begins.
  func waiting(_ steps: [Step]) -> LawObservation {
    for number in steps.indices { perform(number, steps[number])() }
    return observation
  }

  /// Runs all steps of a level whose gets may return older values for a time. Repeats each get
  /// until the model allows its result, or until this time has passed.
  func waiting(_ steps: [Step], within bound: Duration?, _ model: LevelModel) -> LawObservation {
    guard let bound else { return waiting(steps) }
    var model = model
    for number in steps.indices {
      perform(number, steps[number])()
      guard case .get(let key) = steps[number].action else {
        if let last = log.withLock({ $0.last }) { model.note(last) }
        continue
      }
      patience.wait(within: bound) {
        let answer = log.withLock { $0.last?.answer } ?? .none
        if model.allows(answer, of: key) { return true }
        log.withLock { _ = $0.popLast() }
        perform(number, steps[number])()
        return model.allows(log.withLock { $0.last?.answer } ?? .none, of: key)
      }
    }
    return observation
  }

  /// Begins all steps without waiting, then waits for all promises, and then reads the values of
  /// all keys.
  ///
  /// When a step was cancelled, reads the values more than once, because a cancelled write may
  /// still be in flight.
  func overlapping(_ steps: [Step]) -> LawObservation {
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

  /// Begins some operations, and waits for all of them.
  func performAll(_ actions: ArraySlice<Step.Action>) {
    let count = log.withLock { $0.count }
    let waits = actions.enumerated().map { perform(count + $0, Step($1)) }
    for wait in waits { wait() }
    calls.withLock { $0 = [] }
  }

  /// Performs the next step and returns its result.
  func perform(_ action: Step.Action) -> LawObservation.Answer {
    perform(log.withLock { $0.count }, Step(action))()
    return log.withLock { $0.last?.answer } ?? .none
  }

  /// Performs a write from a low-priority task, and returns the result of the write.
  func performLast(_ action: Step.Action, in crowd: Crowd) -> LawObservation.Answer {
    let write = crowd.last {
      switch action {
      case .set(let key, let value): self.cache.set(key, value)
      case .remove(let key): self.cache.remove(key)
      case .clear: self.cache.clear()
      default: Promise(self.cache.memoryWarning())
      }
    }
    patience.wait(for: write)
    return write.outcome.map { LawObservation.Answer($0) } ?? .none
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
    // observer records the result. The observer must not retain the run: a pending promise retains
    // its observer, and the run retains the promise. If the promise never settled, the run would
    // never be released.
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
    let (now, answer) = (ticker.now(), LawObservation.Answer(outcome))
    let action = log.withLock { log in
      log[id].settlements += 1
      log[id].settled = now
      log[id].answer = answer
      return log[id].action
    }
    tally.note(action, answer)
  }

  private func cancel(_ ordinal: Int) {
    let call = calls.withLock { calls in calls.isEmpty ? nil : calls[ordinal % calls.count] }
    guard let call else { return }
    log.withLock { if $0[call.id].settled == nil { $0[call.id].wasCancelled = true } }
    call.cancel()
  }
}
