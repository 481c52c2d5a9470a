import Synchronization

/// The loads under way. A load is found by its key as long as it is attached.
@usableFromInline
final class Pool<Key: Hashable & Sendable, Value: Sendable>: @unchecked Sendable {
  // Unchecked: the places are atomic, and the rest is reached under the lock.
  @usableFromInline typealias Shared = (load: Pending<Value>, first: Promise<Value>)

  @usableFromInline
  struct Load {
    @usableFromInline let key: Key
    /// Made when the answer is not there at once, or when somebody joins before that is known.
    @usableFromInline var shared: Shared?

    @inlinable init(_ key: Key) { self.key = key }
  }

  @usableFromInline
  struct State {
    @usableFromInline var loads: [Int: Load] = [:]
    @usableFromInline var attached: [Int: [Int]] = [:]  // By hash: the loads that can be joined.
    @usableFromInline var lastID = 0
  }

  @usableFromInline let marks: UnsafeMutablePointer<Atomic<UInt>>
  /// How many loads are attached; for a moment one more, while somebody is about to attach one.
  @usableFromInline let attachedLoads = Atomic(0)
  @usableFromInline let hashing = KeyHash.ofProcess
  @usableFromInline let state = Lock(State())

  @usableFromInline
  init() {
    marks = .allocate(capacity: Pool.places)
    for place in 0..<Pool.places { (marks + place).initialize(to: Atomic(0)) }
  }

  deinit { marks.deallocate() }

  @inlinable
  func load(_ key: Key, _ get: (Key) -> Promise<Value>) -> Promise<Value> {
    let hash = hash(key)
    let place = place(of: hash)
    return withUnsafePointer(to: key) { pointer in
      var mark = Mark(hash: hash, key: pointer)
      return withUnsafeMutablePointer(to: &mark) { mark in
        guard put(mark, at: place) else { return loadSlowly(key, mark, get) }
        let answer = get(key)
        if answer.isReady, take(mark, from: place) { return answer }
        return run(mark, answer)
      }
    }
  }

  @inlinable
  func hash(_ key: Key) -> Int { Int(truncatingIfNeeded: hashing(key)) }

  /// Loads, or joins a load, where there are others under way.
  @inlinable
  func loadSlowly(
    _ key: Key, _ mark: UnsafeMutablePointer<Mark>, _ get: (Key) -> Promise<Value>
  ) -> Promise<Value> {
    let hash = mark.pointee.hash
    // Put in its place, it may have been taken for a load before it could be withdrawn: then those
    // who have joined it get the answer of the one there was.
    if !take(mark, from: place(of: hash)), state.withLock({ _ in mark.pointee.id != 0 }) {
      return run(mark, joinEarlier(key, mark) ?? get(key))
    }
    while true {
      let known = state.withLock { state in
        promote(place(of: hash), &state)
        return state.attached[hash] ?? []
      }
      if let found = find(key, among: known) {
        if let promise = join(found, of: hash) { return promise }
      } else if let id = begin(key, hash, unless: known) {
        return run(id, of: hash, get(key))
      }
    }
  }

  /// Joins a load of a key that was attached before one's own; `nil` if there is none.
  @inlinable
  func joinEarlier(_ key: Key, _ mark: UnsafeMutablePointer<Mark>) -> Promise<Value>? {
    let hash = mark.pointee.hash
    let known = state.withLock { $0.attached[hash] ?? [] }
    return find(key, among: Array(known.prefix { $0 != mark.pointee.id }))
      .flatMap { join($0, of: hash) }
  }

  /// Finds the load of a key; `==` is called outside the lock.
  @inlinable
  func find(_ key: Key, among known: [Int]) -> (id: Int, shared: Shared?)? {
    for id in known {
      if let load = state.withLock({ $0.loads[id] }), load.key == key { return (id, load.shared) }
    }
    return nil
  }

  /// Begins a load, unless others of the same hash have come or gone.
  @inlinable
  func begin(_ key: Key, _ hash: Int, unless known: [Int]) -> Int? {
    state.withLock { state in
      attachedLoads.add(1, ordering: .sequentiallyConsistent)
      promote(place(of: hash), &state)
      guard state.attached[hash] ?? [] == known else {
        attachedLoads.subtract(1, ordering: .sequentiallyConsistent)
        return nil
      }
      state.lastID += 1
      state.loads[state.lastID] = Load(key)
      state.attached[hash, default: []].append(state.lastID)
      return state.lastID
    }
  }

  /// Ends a get that has met others, or has no answer yet.
  @inlinable
  func run(_ mark: UnsafeMutablePointer<Mark>, _ answer: Promise<Value>) -> Promise<Value> {
    let hash = mark.pointee.hash
    let id = state.withLock { state in
      promote(place(of: hash), &state)
      return mark.pointee.id
    }
    return run(id, of: hash, answer)
  }

  @inlinable
  func run(_ id: Int, of hash: Int, _ answer: Promise<Value>) -> Promise<Value> {
    if let outcome = answer.outcome {
      end(id, of: hash)?.load.settle(outcome)
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
  @inlinable
  func join(_ found: (id: Int, shared: Shared?), of hash: Int) -> Promise<Value>? {
    if let promise = (found.shared ?? share(found.id))?.load.joined() { return promise }
    end(found.id, of: hash)
    return nil
  }

  /// The promise behind a load, with the place of the one who began it kept.
  @inlinable
  func share(_ id: Int) -> Shared? {
    guard let known = state.withLock({ $0.loads[id] }) else { return nil }
    if let shared = known.shared { return shared }
    let load = Pending<Value>()
    guard let first = load.joined() else { return nil }
    let shared = state.withLock { state -> Shared? in
      guard state.loads[id] != nil else { return nil }
      let shared = state.loads[id]?.shared ?? (load, first)
      state.loads[id]?.shared = shared
      return shared
    }
    // The two hold each other until they end, so a pair that came too late has to.
    if shared?.load.state.buffer !== load.state.buffer { first.cancel() }
    return shared
  }

  /// Ends a load; what it held is let go of outside the lock.
  @inlinable
  @discardableResult
  func end(_ id: Int, of hash: Int) -> Shared? {
    let load = state.withLock { state in
      if let place = state.attached[hash]?.firstIndex(of: id) {
        state.attached[hash]?.remove(at: place)
        if state.attached[hash]?.isEmpty == true { state.attached[hash] = nil }
        attachedLoads.subtract(1, ordering: .sequentiallyConsistent)
      }
      return state.loads.removeValue(forKey: id)
    }
    return load?.shared
  }

  /// Makes sure that who comes later does not join what is under way; `nil` means all keys.
  ///
  /// Loads of another key with the same hash are detached as well, which costs a load.
  func detach(_ hash: Int?) {
    state.withLock { state in
      for place in hash.map({ [place(of: $0)] }) ?? (0..<Pool.places).map({ marks + $0 }) {
        promote(place, &state) { hash == nil || $0 == hash }
      }
      let detached = hash.map { state.attached[$0]?.count ?? 0 } ?? state.attachedCount
      if let hash { state.attached[hash] = nil } else { state.attached = [:] }
      attachedLoads.subtract(detached, ordering: .sequentiallyConsistent)
    }
  }

  /// Detaches before a write and after it; only then is the write seen to have settled.
  func detaching(_ hash: Int?, _ write: () -> Promise<Void>) -> Promise<Void> {
    detach(hash)
    return write().observed { _ in self.detach(hash) }.flatMapOutcome { Promise(outcome: $0) }
  }
}

extension Pool.State {
  fileprivate var attachedCount: Int { attached.values.reduce(0) { $0 + $1.count } }
}
