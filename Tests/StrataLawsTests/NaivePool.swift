import Strata

/// A simple pool with optional faults.
final class NaivePool: Sendable {
  enum Fault: Sendable {
    case unshared, firstWaiterOwns, remembersFailures, removesByKey, ignoresWrites, keepsLoads
    case mergesSets, remembersHits
  }

  private struct Load {
    let id: Int
    let promise: Promise<Int>
    var waiters = 0
  }

  private struct State {
    var loads: [Int: Load] = [:]
    var failures: [Int: Promise<Int>] = [:]
    var hits: [Int: Promise<Int>] = [:]
    var sets: [Int: Promise<Void>] = [:]
    var lastID = 0
  }

  private let fault: Fault
  private let state = Box(State())

  init(_ fault: Fault) { self.fault = fault }

  func callAsFunction(_ cache: Cache<Int, Int>) -> Cache<Int, Int> {
    Cache(
      get: { self.get($0, cache) },
      set: { key, value in
        if self.fault == .mergesSets, let set = self.state.value.sets[key], set.outcome == nil {
          return set
        }
        let set = self.detaching { cache.set(key, value) }
        self.state.update { $0.sets[key] = set }
        return set
      },
      remove: { key in self.detaching { cache.remove(key) } },
      clear: { self.detaching { cache.clear() } }, memoryWarning: cache.memoryWarning)
  }

  private func detaching(_ write: () -> Promise<Void>) -> Promise<Void> {
    guard fault != .ignoresWrites else { return write() }
    state.update { $0.loads = [:] }
    return write().map { self.state.update { ($0.loads, $0.hits) = ([:], [:]) } }
  }

  private func get(_ key: Int, _ cache: Cache<Int, Int>) -> Promise<Int> {
    if fault == .unshared { return cache.get(key) }
    if let failure = state.value.failures[key] { return failure }
    if let hit = state.value.hits[key] { return hit }
    let load = state.value.loads[key] ?? begin(key, cache)
    if fault == .firstWaiterOwns { return load.promise }
    return Promise { continuation in
      load.promise.observed { continuation.settle($0) }
      continuation.onCancel { self.leave(key, load) }
      self.state.update { $0.loads[key]?.waiters += 1 }
    }
  }

  private func begin(_ key: Int, _ cache: Cache<Int, Int>) -> Load {
    let promise = cache.get(key)
    let load = state.update { state in
      state.lastID += 1
      let load = Load(id: state.lastID, promise: promise)
      if promise.outcome == nil { state.loads[key] = load }
      if fault == .remembersHits, case .success? = promise.outcome { state.hits[key] = promise }
      return load
    }
    promise.observed { outcome in self.end(key, load, outcome) }
    return load
  }

  private func end(_ key: Int, _ load: Load, _ outcome: Promise<Int>.Outcome) {
    state.update { state in
      if fault == .removesByKey || state.loads[key]?.id == load.id { state.loads[key] = nil }
      if fault == .remembersFailures, outcome.error != nil { state.failures[key] = load.promise }
    }
  }

  private func leave(_ key: Int, _ load: Load) {
    let isLast = state.update { state in
      guard state.loads[key]?.id == load.id else { return false }
      state.loads[key]?.waiters -= 1
      return state.loads[key]?.waiters == 0
    }
    if isLast, fault != .keepsLoads { load.promise.cancel() }
  }
}
