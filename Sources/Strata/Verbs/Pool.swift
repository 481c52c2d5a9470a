/// The loads under way. A load is found by its key as long as it is attached.
@usableFromInline
final class Pool<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  struct Load {
    let key: Key
    /// Made when the answer is not there at once, or when somebody joins before that is known.
    var shared: (load: Pending<Value>, first: Promise<Value>)?
  }

  @usableFromInline
  struct State {
    @usableFromInline let marks = UnsafeMutablePointer<Mark>.allocate(capacity: 16)
    var loads: [Int: Load] = [:]
    @usableFromInline var attached: [Int: [Int]] = [:]  // By hash: the loads that can be joined.
    @usableFromInline var lastID = 0

    init() { marks.initialize(repeating: Mark(), count: 16) }
  }

  @usableFromInline let state = Lock(State())
  @usableFromInline let hashing = KeyHash.ofProcess

  @usableFromInline
  init() {}

  deinit { state.withLock { $0.marks.deallocate() } }

  @inlinable
  func load(_ key: Key, _ get: (Key) -> Promise<Value>) -> Promise<Value> {
    let hash = hash(key)
    return withUnsafePointer(to: key) { pointer in
      let id = state.withLock { $0.mark(pointer, hash) }
      guard id != 0 else { return loadSlowly(key, hash, get) }
      let answer = get(key)
      if case .settled = answer.state, state.withLock({ $0.unmark(hash, id) }) { return answer }
      return run(id, of: hash, answer)
    }
  }

  @inlinable
  func hash(_ key: Key) -> Int { Int(truncatingIfNeeded: hashing(key)) }

  /// Loads, or joins a load, where more is to be known than that there is no other.
  @usableFromInline
  func loadSlowly(_ key: Key, _ hash: Int, _ get: (Key) -> Promise<Value>) -> Promise<Value> {
    while true {
      let known = state.withLock { state in
        state.promote(hash)
        return (state.attached[hash] ?? []).map { (id: $0, key: state.loads[$0]?.key) }
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
      state.promote(hash)
      guard state.attached[hash] ?? [] == known else { return nil }
      state.lastID += 1
      state.loads[state.lastID] = Load(key: key)
      state.attached[hash, default: []].append(state.lastID)
      return state.lastID
    }
  }

  @usableFromInline
  func run(_ id: Int, of hash: Int, _ answer: Promise<Value>) -> Promise<Value> {
    state.withLock { $0.promote(hash) }
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
      state.unmark(hash)
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
