import Strata

/// A simple refreshing cache with optional faults.
final class NaiveRefresher: Sendable {
  enum Fault: Sendable {
    case refreshTwice, errorHides, waitsWhenStale, ageReset, servesDead, refreshWins, noTimeout
    case asksWhenFresh, servesUnasked, forgetsToRefresh
    case keepsWhatIsGone, failureRemoves, removalWins, noPause
    case ignoresEarly, loadsInPause
  }

  private struct State {
    var loads: [Int: (id: Int, promise: Promise<Int>)] = [:]
    var writes: [Int: Int] = [:]
    var pausing: Set<Int> = []
    var lastID = 0
  }

  private let fault: Fault
  private let level: Cache<Int, Stamped<Int>>
  private let freshness: Freshness
  private let fetcher: Fetcher<Int, Int>
  private let time: TimeSource
  private let state = Box(State())

  init(
    _ fault: Fault, _ level: Cache<Int, Stamped<Int>>, _ freshness: Freshness,
    _ fetcher: Fetcher<Int, Int>, _ time: TimeSource
  ) {
    (self.fault, self.level, self.freshness) = (fault, level, freshness)
    (self.fetcher, self.time) = (fetcher, time)
  }

  var cache: Cache<Int, Int> {
    Cache(
      get: { self.get($0) },
      set: { key, value in self.write([key]) { self.store(key, value) } },
      remove: { key in self.write([key]) { self.level.remove(key) } },
      clear: { self.write([0, 1]) { self.level.clear() } })
  }

  private func write(_ keys: [Int], _ body: () -> Promise<Void>) -> Promise<Void> {
    state.update { state in
      for key in keys {
        state.writes[key, default: 0] += 1
        state.loads[key] = nil
      }
    }
    return body()
  }

  private func store(_ key: Int, _ value: Int) -> Promise<Void> {
    let now = time.now()
    let life = freshness.lifetime + max(freshness.staleWhileRevalidate, freshness.staleIfError)
    return level.set(key, Stamped(value, storedAt: now, lasting: life))
  }

  private func get(_ key: Int) -> Promise<Int> {
    let isPausing = fault != .noPause && state.value.pausing.contains(key)
    let failsFast = isPausing && freshness.failsInPause && fault != .loadsInPause
    guard let entry = level.get(key).outcome?.value else {
      return failsFast ? Promise(error: Pausing()) : load(key, nil)
    }
    let stage = stage(of: entry)
    let isStale = stage == .stale || stage == .staleOnError
    if isPausing, isStale { return Promise(entry.value) }
    switch stage {
    case .fresh:
      if fault == .asksWhenFresh { _ = load(key, entry) }
      return Promise(entry.value)
    case .stale:
      if fault == .waitsWhenStale { return load(key, entry) }
      if fault != .forgetsToRefresh { _ = load(key, entry) }
      return Promise(entry.value)
    case .staleOnError:
      if fault == .servesUnasked { return Promise(entry.value) }
      return load(key, entry)
    case .expired where failsFast: return Promise(error: Pausing())
    case .expired: return load(key, fault == .servesDead ? entry : nil)
    }
  }

  private struct Pausing: Error {}

  private func stage(of entry: Stamped<Int>) -> Freshness.Stage {
    let stage = freshness.stage(of: entry, at: time.now())
    let isOld = entry.storedAt.duration(to: time.now()) >= freshness.lifetime
    return fault == .ignoresEarly && stage == .stale && !isOld ? .fresh : stage
  }

  private func load(_ key: Int, _ stale: Stamped<Int>?) -> Promise<Int> {
    let running = fault == .refreshTwice ? nil : state.value.loads[key]?.promise
    let load = running ?? begin(key)
    return load.recover { error in
      if self.fault == .ageReset, let stale { _ = self.store(key, stale.value) }
      guard !self.isNone(error), self.fault != .errorHides, let stale, self.isServed(stale),
        self.level.get(key).outcome?.value != nil
      else { throw error }
      return stale.value
    }
  }

  private func isServed(_ entry: Stamped<Int>) -> Bool {
    fault == .servesDead || freshness.stage(of: entry, at: time.now()) != .expired
  }

  private func begin(_ key: Int) -> Promise<Int> {
    let (id, writes) = state.update { state in
      state.lastID += 1
      return (state.lastID, state.writes[key])
    }
    let limit = fault == .noTimeout ? .seconds(3600) : freshness.timeout
    let load = fetcher.get(key).timeout(after: limit, clock: time)
    if load.outcome == nil { state.update { $0.loads[key] = (id, load) } }
    load.observed { outcome in
      self.state.update { if $0.loads[key]?.id == id { $0.loads[key] = nil } }
      let isFailure = outcome.error.map { !$0.isMiss } ?? false
      self.state.update { state in
        if isFailure { state.pausing.insert(key) }
        if outcome.value != nil || outcome.error?.isAbsence == true { state.pausing.remove(key) }
      }
      let isOvertaken = self.state.value.writes[key] != writes
      if let value = outcome.value {
        if self.fault == .refreshWins || !isOvertaken { _ = self.store(key, value) }
      } else if self.isRemoved(after: outcome.error, isOvertaken) {
        _ = self.level.remove(key)
      }
    }
    return Promise { continuation in load.observed { continuation.settle($0) } }
  }

  private func isRemoved(after error: (any Error)?, _ isOvertaken: Bool) -> Bool {
    guard let error, fault != .keepsWhatIsGone else { return false }
    if isOvertaken { return fault == .removalWins && isNone(error) }
    return fault == .failureRemoves || isNone(error)
  }

  private func isNone(_ error: any Error) -> Bool {
    error.isMiss && error as? CacheError != .conditionNotSatisfied
  }
}
