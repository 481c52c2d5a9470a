import Strata

/// One run of steps over a level, with everything noted that it answers.
final class LevelRun: Sendable {
  let cache: Cache<Int, Int>
  private let ticker = Ticker()
  private let log = Guarded<[Observation.Operation]>([])
  private let calls = Guarded<
    [(id: Int, cancel: @Sendable () -> Void, wait: @Sendable () -> Void)]
  >(
    [])

  init(_ probe: LevelProbe) {
    cache = probe.make()
    ticker.run()
  }

  /// What was seen so far.
  var observation: Observation {
    Observation(operations: log.withLock { $0.sorted { $0.began < $1.began } })
  }

  /// Runs one step after another, and waits for each.
  func waiting(_ steps: [Step]) -> Observation {
    for number in steps.indices { perform(number, steps[number])() }
    return observation
  }

  /// Calls one step after another, waits for all at the end, and looks what is left.
  ///
  /// Where something was cancelled it looks more than once: what was cancelled may not have ended.
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

  /// Runs the steps of each client on a thread of its own; each client waits for its own steps.
  func onThreads(_ steps: [Step]) -> Observation {
    let clients = Dictionary(grouping: steps.indices) { steps[$0].client }
    Crew.shared.run(
      clients.sorted { $0.key < $1.key }.map { _, places in
        { for number in places { self.perform(number, steps[number])() } }
      })
    return observation
  }

  private func perform(_ number: Int, _ step: Step) -> @Sendable () -> Void {
    switch step.action {
    case .get(let key): return begin(number, step) { self.cache.get(key) }
    case .set(let key, let value): return begin(number, step) { self.cache.set(key, value) }
    case .remove(let key): return begin(number, step) { self.cache.remove(key) }
    case .clear: return begin(number, step) { self.cache.clear() }
    case .warn: cache.memoryWarning()
    case .cancel(let ordinal): cancel(ordinal)
    case .settle, .advance: break
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
    // The promise has settled a moment before this is told: what is waited for is the telling.
    let told = Promise<Void> { continuation in
      _ = promise.observed { outcome in
        let now = self.ticker.now()
        self.log.withLock { log in
          log[id].settlements += 1
          log[id].settled = now
          log[id].answer = Observation.Answer(outcome)
        }
        continuation.succeed()
      }
    }
    let wait: @Sendable () -> Void = { _ = try? told.wait(for: .seconds(10)) }
    calls.withLock { $0.append((id, promise.cancel, wait)) }
    return wait
  }

  private func cancel(_ ordinal: Int) {
    let call = calls.withLock { calls in calls.isEmpty ? nil : calls[ordinal % calls.count] }
    guard let call else { return }
    log.withLock { if $0[call.id].settled == nil { $0[call.id].wasCancelled = true } }
    call.cancel()
  }
}
