/// The state of a prefetcher. Running gets refer to this state, not to the prefetcher, so the
/// prefetcher can be released.
final class Prefetches<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  private struct Running {
    let key: Key
    var interest: Interest?
    /// Whether the key was removed from the list while its `get` was being called.
    var isUnwanted = false
  }

  private struct State {
    /// The number of the latest replacement.
    var version = 0
    var waiting: [Key] = []
    var next = 0
    var running: [Int: Running] = [:]
    var lastID = 0
    /// The keys that have been loaded since they were added to the list.
    var loaded: [Key] = []
    var isPaused = false
    /// Whether a job that begins gets is running or scheduled.
    var isBeginning = false

    func mayBegin(_ limit: Int) -> Bool {
      !isPaused && next < waiting.count && running.count < limit
    }
  }

  private let get: @Sendable (Key) -> Promise<Value>
  private let limit: Int
  private let execute: @Sendable (@escaping @Sendable () -> Void) -> Void
  private let state = Lock(State())

  init(
    _ get: @escaping @Sendable (Key) -> Promise<Value>, _ limit: Int,
    _ execute: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void
  ) {
    (self.get, self.limit, self.execute) = (get, limit, execute)
  }

  var isPaused: Bool {
    get { state.withLock { $0.isPaused } }
    set {
      state.withLock { $0.isPaused = newValue }
      begin()
    }
  }

  var remaining: Int { state.withLock { $0.waiting.count - $0.next + $0.running.count } }

  /// Replaces the wanted keys. It hashes and compares keys outside the lock. Meanwhile, no get
  /// begins, and a later replacement supersedes this one.
  func replace(by keys: some Sequence<Key>) {
    var wanted: Set<Key> = []
    let ordered = keys.filter { wanted.insert($0).inserted }
    let (old, version) = state.withLock { state in
      let old = state
      state.version += 1
      (state.waiting, state.next) = ([], 0)
      return (old, state.version)
    }
    let running = old.running.filter { !$0.value.isUnwanted }
    let known = Set(running.values.map(\.key) + old.loaded)
    let waiting = known.isEmpty ? ordered : ordered.filter { !known.contains($0) }
    let kept = old.loaded.filter(wanted.contains)
    let unwanted = running.filter { !wanted.contains($0.value.key) }.keys
    let withdrawn = state.withLock { state -> [Running] in
      guard state.version == version else { return [] }
      state.waiting = waiting
      state.loaded = kept + state.loaded.dropFirst(old.loaded.count)
      return unwanted.compactMap { id in
        guard state.running[id]?.interest == nil else {
          return state.running.removeValue(forKey: id)
        }
        state.running[id]?.isUnwanted = true
        return nil
      }
    }
    for get in withdrawn { get.interest?.withdraw() }
    begin()
  }

  /// Starts a job that begins the gets that may begin, unless such a job exists already.
  private func begin() {
    let begins = state.withLock { state in
      guard !state.isBeginning, state.mayBegin(limit) else { return false }
      state.isBeginning = true
      return true
    }
    if begins { execute { self.beginAll() } }
  }

  /// Begins the gets that may begin. Hits end immediately, so there can be many. After a number of
  /// gets, this job passes the rest to a new job, so that other tasks can run between them.
  private func beginAll() {
    for _ in 0..<100 {
      guard let (id, key) = takeNext() else { return }
      let interest = get(key).join { self.end(id, $0.value != nil) }
      guard let interest else { continue }
      let isWanted = state.withLock { state in
        guard let get = state.running[id] else { return true }
        state.running[id]?.interest = interest
        return !get.isUnwanted
      }
      guard !isWanted else { continue }
      interest.withdraw()
      end(id, false)
    }
    execute { self.beginAll() }
  }

  private func takeNext() -> (Int, Key)? {
    let (next, _) = state.withLock { state -> ((Int, Key)?, [Key]) in
      guard state.mayBegin(limit) else {
        state.isBeginning = false
        guard state.next == state.waiting.count else { return (nil, []) }
        defer { (state.waiting, state.next) = ([], 0) }
        return (nil, state.waiting)  // Released outside the lock.
      }
      let key = state.waiting[state.next]
      state.next += 1
      state.lastID += 1
      state.running[state.lastID] = Running(key: key)
      return ((state.lastID, key), [])
    }
    return next
  }

  private func end(_ id: Int, _ isLoaded: Bool) {
    _ = state.withLock { state in
      let ended = state.running.removeValue(forKey: id)
      if let ended, isLoaded { state.loaded.append(ended.key) }
      return ended
    }
    begin()
  }
}
