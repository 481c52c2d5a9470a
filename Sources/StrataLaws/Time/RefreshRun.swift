import StrataVerbs

/// A run of a program against a new refreshing cache.
final class RefreshRun: Sendable {
  private struct OriginFailure: Error {}

  private let program: RefreshProgram
  private let level = AgedLevel()
  private let clock: ManualTime
  private let log: Lock<RefreshLog>
  private let tick = Lock(0)
  private let waiting = Lock<[(Int, Promise<Int>.Continuation)]>([])
  private let gets = Lock<[(Int, Promise<Int>)]>([])
  private let caches = Lock<Handles<Int, Int>?>(nil)

  init(_ program: RefreshProgram, _ verb: Laws.Refresher) {
    self.program = program
    let (time, clock) = TimeSource.manual(startingAt: LifeRun.start)
    self.clock = clock
    log = Lock(RefreshLog(freshness: program.freshness))
    let made = verb(level.cache, program.freshness, Fetcher { self.load($0) }, time)
    caches.withLock { $0 = Handles(made) }
  }

  func observation() -> RefreshLog {
    for (number, step) in program.steps.enumerated() {
      tick.withLock { $0 = number + 1 }
      perform(step, number: number + 1)
      note()
    }
    for _ in 0..<2 {  // Lets hanging loads time out.
      tick.withLock { $0 += 1 }
      clock.advance(by: program.freshness.timeout)
      note()
    }
    caches.withLock { $0 = nil }  // Releases the cache, because it retains this object.
    let continuations = waiting.withLock { waiting in
      defer { waiting = [] }
      return waiting
    }
    let log = log.withLock { $0 }
    for (_, continuation) in continuations { continuation.cancel() }
    return log
  }

  private var moment: RefreshLog.Moment { (tick.withLock { $0 }, clock.now) }

  private func note() {
    let (moment, held) = (moment, level.contents)
    log.withLock { $0.contents.append((moment, held)) }
  }

  private func perform(_ step: RefreshProgram.Step, number: Int) {
    guard let cache = caches.withLock({ $0 })?[number] else { return }
    switch step {
    case .get(let key): get(key, cache)
    case .set(let key): write(key, isSet: true) { cache.set(key, number) }
    case .remove(let key): write(key) { cache.remove(key) }
    case .clear: write(nil) { cache.clear() }
    case .cancel(let ordinal): cancel(ordinal)
    case .advance(let milliseconds): clock.advance(by: .milliseconds(milliseconds))
    case .answer(let ordinal, let answer):
      let load = waiting.withLock { waiting in
        waiting.isEmpty ? nil : waiting.remove(at: ordinal % waiting.count)
      }
      if let load { settle(load.0, load.1, answer) }
    }
  }

  private func write(_ key: Int?, isSet: Bool = false, _ write: () -> Promise<Void>) {
    let moment = moment
    log.withLock { $0.writes.append(.init(key: key, at: moment, isSet: isSet)) }
    _ = write()
  }

  private func get(_ key: Int, _ cache: Cache<Int, Int>) {
    let (began, entry) = (moment, level.contents[key])
    let id = log.withLock { log in
      log.gets.append(.init(key: key, began: began, entry: entry))
      return log.gets.count - 1
    }
    let promise = cache.get(key)
    promise.observed { outcome in
      let (ended, entry) = (self.moment, self.level.contents[key])
      self.log.withLock { log in
        log.gets[id].ended = ended
        log.gets[id].answer = LawObservation.Answer(outcome)
        log.gets[id].entryAtEnd = entry
      }
    }
    if promise.outcome == nil { gets.withLock { $0.append((id, promise)) } }
  }

  private func cancel(_ ordinal: Int) {
    let get = gets.withLock { gets in
      gets.removeAll { $0.1.outcome != nil }
      return gets.isEmpty ? nil : gets.remove(at: ordinal % gets.count)
    }
    guard let get else { return }
    log.withLock { $0.gets[get.0].wasCancelled = true }
    get.1.cancel()
  }

  private func load(_ key: Int) -> Promise<Int> {
    let began = moment
    let id = log.withLock { log in
      log.loads.append(.init(key: key, began: began))
      return log.loads.count - 1
    }
    return Promise { continuation in
      if let quick = program.quick { return settle(id, continuation, quick) }
      waiting.withLock { $0.append((id, continuation)) }
      continuation.onCancel {
        self.waiting.withLock { $0.removeAll { $0.0 == id } }
        self.end(id, "cancelled")
      }
    }
  }

  private func settle(
    _ id: Int, _ continuation: Promise<Int>.Continuation, _ answer: RefreshProgram.Answer
  ) {
    end(id, "\(answer)")
    switch answer {
    case .value: continuation.succeed(1000 + id)
    case .miss: continuation.fail(CacheError.notFound)
    case .unasked: continuation.fail(CacheError.conditionNotSatisfied)
    case .failure: continuation.fail(OriginFailure())
    }
  }

  private func end(_ id: Int, _ answer: String) {
    let moment = moment
    log.withLock { log in
      guard log.loads[id].ended == nil else { return }
      log.loads[id].ended = moment
      log.loads[id].answer = answer
    }
  }
}
