import StrataVerbs

/// One run of a program against a new cache.
final class Run: Sendable {
  private let program: Program
  private let ticker = Ticker()
  private let clock: ManualTime
  private let levels: [ScriptedLevel]
  /// The cache, of which the clients with odd numbers use the second handle.
  private let caches: Handles<Int, Int>
  private let log = Lock<[LawObservation.Operation]>([])
  private let progress = Lock<[Progress]>([])
  private let handles = Lock<[Int: [(id: Int, cancel: @Sendable () -> Void)]]>([:])

  init(_ program: Program, _ build: LawBuild) {
    self.program = program
    let (time, clock) = TimeSource.manual()
    self.clock = clock
    let ticker = ticker
    levels = program.scripts.enumerated().map { ScriptedLevel($0, $1, ticker, time) }
    caches = Handles(
      build(LawContext(levels: levels.map(\.cache), time: time)),
      isShared: program.steps.contains { $0.client > 0 })
  }

  deinit {
    for level in levels { level.abandon() }
  }

  /// Runs all steps in order on this thread, so the program determines the order in which slow
  /// operations begin and settle.
  ///
  /// - Parameters:
  ///   - patience: If it isn't `nil`, each step waits until the tasks that it started have run, so an
  ///     async verb answers within the same step.
  ///   - other: A finished run of the same program. After each step, this run also waits until it
  ///     has come as far as the other had after that step. Heartbeats alone aren't enough, because
  ///     a loaded machine can delay a task longer.
  func virtually(with patience: Patience? = nil, after other: Run? = nil) -> LawObservation {
    for number in program.steps.indices {
      ticker.advance()
      perform(number)
      patience?.beat()
      if program.isSequential { bringToRest(with: patience) }
      if let patience, let other { catchUp(with: other, number, patience) }
      progress.withLock { $0.append(currentProgress()) }
    }
    if patience != nil { bringToRest(with: patience) }
    if let patience, let other { catchUp(with: other, program.steps.count, patience) }
    let observation = observation()
    progress.withLock { $0.append(currentProgress()) }
    return observation
  }

  /// The operations that have settled, and the number of events at each level.
  private struct Progress {
    let settled: Set<Int>
    let events: [Int]

    func includes(_ other: Progress) -> Bool {
      settled.isSuperset(of: other.settled) && zip(events, other.events).allSatisfy(>=)
    }
  }

  private func currentProgress() -> Progress {
    let settled = log.withLock { log in Set(log.indices.filter { log[$0].settled != nil }) }
    return Progress(settled: settled, events: levels.map(\.history.count))
  }

  private func catchUp(with other: Run, _ number: Int, _ patience: Patience) {
    let wanted = other.progress.withLock { $0[number] }
    let isEnd = number == program.steps.count
    patience.wait {
      if isEnd || program.isSequential { bringToRest(with: patience) }
      return currentProgress().includes(wanted)
    }
  }

  /// Runs the steps of each client on a separate thread.
  func onThreads() -> LawObservation {
    ticker.run()
    let clients = Dictionary(grouping: program.steps.indices) { program.steps[$0].client }
    WorkerThreads.shared.run(
      clients.values.map { steps in { for step in steps { self.perform(step) } } })
    return observation()
  }

  private func observation() -> LawObservation {
    bringToRest()
    return LawObservation(
      operations: log.withLock { $0.sorted { $0.step < $1.step } },
      histories: levels.map(\.history), rest: levels.map(\.rest))
  }

  private func perform(_ number: Int) {
    let step = program.steps[number]
    let cache = caches[step.client]
    switch step.action {
    case .get(let key): begin(number, step) { cache.get(key) }
    case .set(let key, let value): begin(number, step) { cache.set(key, value) }
    case .remove(let key): begin(number, step) { cache.remove(key) }
    case .clear: begin(number, step) { cache.clear() }
    case .warn: cache.memoryWarning()
    case .rest: bringToRest()
    case .settle(let level, let ordinal):
      if levels.indices.contains(level) { levels[level].settle(ordinal) }
    case .cancel(let ordinal): cancel(ordinal, of: step.client)
    case .advance(let milliseconds): clock.advance(by: .milliseconds(milliseconds))
    }
  }

  private func begin<Value>(_ number: Int, _ step: Step, _ call: () -> Promise<Value>) {
    let began = ticker.now()
    let id = log.withLock { log in
      log.append(
        .init(step: number + 1, client: step.client, action: step.action, began: began))
      return log.count - 1
    }
    let promise = call()
    // The observer must not retain the run: a pending promise retains its observer, and the run
    // retains the promise. If the promise never settled, the run would never be released.
    promise.observed { [weak self] outcome in
      guard let self else { return }
      let now = ticker.now()
      log.withLock { log in
        log[id].settlements += 1
        log[id].settled = now
        log[id].answer = LawObservation.Answer(outcome)
      }
    }
    handles.withLock { $0[step.client, default: []].append((id, promise.cancel)) }
  }

  private func cancel(_ ordinal: Int, of client: Int) {
    let handle = handles.withLock { handles in
      handles[client].map { $0[ordinal % $0.count] }
    }
    guard let handle else { return }
    log.withLock { if $0[handle.id].settled == nil { $0[handle.id].wasCancelled = true } }
    handle.cancel()
  }

  private func bringToRest(with patience: Patience? = nil) {
    var isAtRest = false
    while !isAtRest {
      isAtRest = true
      patience?.beat()
      for level in levels {
        ticker.advance()
        while level.settle(0) {
          isAtRest = false
          patience?.beat()
          ticker.advance()
        }
      }
    }
  }
}
