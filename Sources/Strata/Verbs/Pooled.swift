extension Cache {
  /// Returns this cache with one load under way for each key, however many ask for it.
  ///
  /// The load, not a waiter, frees its place: a waiter that is cancelled disturbs nobody, and the
  /// load is cancelled with the last. An error is shared by those who wait and not remembered. `set`,
  /// `remove` and `clear` detach a running load when they begin and when they settle: those who wait
  /// for it get its answer, those who come later do not. Only gets are shared.
  ///
  ///     let pages = memory + (disk + network).pooled()
  ///
  /// A load that asks this cache for its own key waits for itself; bound it with a time limit.
  ///
  /// - Complexity: O(1); a hit costs two short critical sections.
  /// - Law: `a.pooled().pooled() == a.pooled()`; `a.pooled() == a`, one operation at a time; see
  ///   `VerbLaws`.
  public func pooled() -> Cache { pooled(by: Pool()) }

  private func pooled(by pool: Pool<Key, Value>) -> Cache {
    let (get, set, remove, clear, forget) = (get, set, remove, clear, spine.forget)
    return Cache(
      get: { key in pool.load(key, get) },
      set: { key, value in pool.detaching(key.hashValue) { set(key, value) } },
      remove: { key in pool.detaching(key.hashValue) { remove(key) } },
      clear: { pool.detaching(nil, clear) },
      memoryWarning: memoryWarning,
      spine: Spine(
        plan: .verb(plan, name: "pooled"), isReadOnly: spine.isReadOnly,
        forget: { key in
          pool.detach(key?.hashValue)
          forget(key)
        },
        reporting: spine.reporting { $0.pooled(by: pool) }))
  }
}

extension Fetcher {
  /// Returns this fetcher with one load under way for each key; see ``Cache/pooled()``.
  ///
  /// A write of a cache made with it drops a load that is running.
  ///
  /// - Law: see `PooledTests.testAWriteOfTheCacheMadeOfAFetcherDetachesItsLoad`.
  public func pooled() -> Fetcher { Fetcher(cache.pooled()) }
}

/// The loads under way. A load is found by its key as long as it is attached.
private final class Pool<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  fileprivate struct Load {
    let key: Key
    /// Made when the answer is not there at once, or when somebody joins before that is known.
    var shared: (load: Pending<Value>, first: Promise<Value>)?
  }

  fileprivate struct State {
    var loads: [Int: Load] = [:]
    var attached: [Int: [Int]] = [:]  // By hash of the key: the loads that can be joined.
    var lastID = 0
  }

  private let state = Lock(State())

  func load(_ key: Key, _ get: (Key) -> Promise<Value>) -> Promise<Value> {
    let hash = key.hashValue
    while true {
      let known = state.withLock { state in
        (state.attached[hash] ?? []).map { (id: $0, key: state.loads[$0]?.key) }
      }
      if let load = known.first(where: { $0.key == key }) {
        if let promise = join(load.id, of: hash) { return promise }
      } else if let id = begin(key, hash, unless: known.map(\.id)) {
        return run(id, of: hash, get(key))
      }
    }
  }

  /// Begins a load, unless others of the same hash have come or gone.
  private func begin(_ key: Key, _ hash: Int, unless known: [Int]) -> Int? {
    state.withLock { state in
      guard state.attached[hash] ?? [] == known else { return nil }
      state.lastID += 1
      state.loads[state.lastID] = Load(key: key)
      state.attached[hash, default: []].append(state.lastID)
      return state.lastID
    }
  }

  private func run(_ id: Int, of hash: Int, _ answer: Promise<Value>) -> Promise<Value> {
    if let outcome = answer.outcome {
      end(id, of: hash)?.settle(outcome)
      return answer
    }
    guard let shared = share(id) else { return answer }
    let interest = answer.join { outcome in
      self.end(id, of: hash)
      shared.load.settle(outcome)
    }
    shared.load.stop(at: 1) {
      self.end(id, of: hash)
      interest?.withdraw()
    }
    return shared.first
  }

  /// Joins a load; `nil` if it has ended, or its last waiter has just left.
  private func join(_ id: Int, of hash: Int) -> Promise<Value>? {
    guard let promise = share(id).flatMap({ $0.load.joined() }) else {
      end(id, of: hash)
      return nil
    }
    return promise
  }

  /// The promise behind a load, with the place of the one who began it kept.
  private func share(_ id: Int) -> (load: Pending<Value>, first: Promise<Value>)? {
    guard let known = state.withLock({ $0.loads[id] }) else { return nil }
    if let shared = known.shared { return shared }
    let load = Pending<Value>()
    guard let first = load.joined() else { return nil }
    let shared = state.withLock { state -> (load: Pending<Value>, first: Promise<Value>)? in
      guard state.loads[id] != nil else { return nil }
      let shared = state.loads[id]?.shared ?? (load, first)
      state.loads[id]?.shared = shared
      return shared
    }
    // The two hold each other until they end, so a pair that came too late has to.
    if shared?.load.state.buffer !== load.state.buffer { first.cancel() }
    return shared
  }

  @discardableResult
  private func end(_ id: Int, of hash: Int) -> Pending<Value>? {
    let load = state.withLock { state in
      state.detach(id, of: hash)
      return state.loads.removeValue(forKey: id)
    }
    return load?.shared?.load
  }

  /// Makes sure that who comes later does not join what is under way; `nil` means all keys.
  ///
  /// Loads of another key with the same hash are detached as well, which costs a load.
  func detach(_ hash: Int?) {
    state.withLock { state in
      if let hash { state.attached[hash] = nil } else { state.attached = [:] }
    }
  }

  /// Detaches before a write and after it; only then is the write seen to have settled.
  func detaching(_ hash: Int?, _ write: () -> Promise<Void>) -> Promise<Void> {
    detach(hash)
    return write().observed { _ in self.detach(hash) }.flatMapOutcome { Promise(outcome: $0) }
  }
}

extension Pool.State {
  fileprivate mutating func detach(_ id: Int, of hash: Int) {
    attached[hash]?.removeAll { $0 == id }
    if attached[hash]?.isEmpty == true { attached[hash] = nil }
  }
}
