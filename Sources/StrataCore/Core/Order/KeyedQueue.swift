import Synchronization

/// A queue that runs one write of a key at a time. Gets wait for the earlier writes to their key.
///
/// A queue is necessary where operations take time before they take effect, as with async
/// functions, dispatch queues, and async codecs. It's also necessary for a level that doesn't
/// declare that it keeps the order of its calls. Unless `clearsAtOnce` is set, a `clear` waits for
/// all earlier writes, and all later operations wait for this `clear`. Operations don't wait for
/// gets.
///
/// Callers pass hashes instead of keys, so no user code runs while the lock is held. Keys with
/// equal hashes share a queue, which may delay an operation but never changes its result.
@usableFromInline
package final class KeyedQueue: Sendable {
  package typealias Work = @Sendable () -> Void

  /// A write that waits or runs. When it has ended, its followers may run.
  private struct Write {
    let hash: Int?
    /// The number of writes that this write waits for.
    var missing = 0
    /// The work of the write, until it begins or is cancelled.
    var work: Work?
    var followers: [Int] = []
    /// The gets that wait for this write, by number.
    var gets: [Int: Work] = [:]
    /// The last write up to this one that isn't a back-fill, perhaps this write itself. Gets wait
    /// for that write.
    var barrier: Int?
    /// The number of this write in `KeyedQueue.work`.
    var number: Int?
  }

  private struct State {
    var writes: [Int: Write] = [:]
    /// The last write of each key, as long as it waits or runs.
    var last = HashKeyedTable<Int>()
    var lastClear: Int?
    /// The last clear that has overtaken the writes before it.
    var lastPassing = 0
    var lastID = 0
    /// The number of writes of each key, and below, the number of clears. Without a bound, the
    /// queue doesn't count the writes.
    var counts = HashKeyedTable<Int>()
    var clears = 0

    /// Returns the write that an operation of a key must wait for. A clear waits for the earlier
    /// writes, or their keys are removed after it. So it's enough to wait for the later one of the
    /// key's last write and the last clear.
    func predecessor(of hash: Int, ignoringClears: Bool) -> Int? {
      guard !ignoringClears else { return last[hash] }
      guard let write = last[hash] else { return lastClear }
      return max(write, lastClear ?? 0)
    }
  }

  /// Whether a clear overtakes the earlier writes instead of waiting for them. If so, the queue's
  /// owner removes the keys of these writes. Later writes don't wait for such a clear. If it takes effect
  /// after them, the only harm is a miss.
  private let clearsAtOnce: Bool
  /// The level's name, for the error of a write that the full queue refuses. `nil` means that the
  /// queue has no bound.
  let stage: String?
  @usableFromInline let inFlight = Atomic<Int>(0)
  private let state = Lock(State())
  /// The writes that wait or run.
  package let work = RunningWork(.steps)

  package init(clearsAtOnce: Bool = false, bounding stage: String? = nil) {
    (self.clearsAtOnce, self.stage) = (clearsAtOnce, stage)
  }

  /// Whether no write waits or runs.
  @inlinable package var isQuiet: Bool { inFlight.load(ordering: .acquiring) == 0 }

  /// Adds a write to a key, or to all keys if `hash` is `nil`. Returns the write's number, and
  /// whether it may begin now. If it must wait, the queue later runs the closure that `work` has
  /// returned.
  ///
  /// - Parameter isFill: Whether the write is a back-fill. Other writes wait for a back-fill. But
  ///   gets don't, because the value in the levels below isn't older.
  func add(
    _ hash: Int?, isFill: Bool = false, _ work: (_ id: Int) -> Work
  ) -> (id: Int, mayBegin: Bool) {
    let number = self.work.begin()
    return state.withLock { state in
      inFlight.wrappingAdd(1, ordering: .releasing)
      state.lastID += 1
      let id = state.lastID
      var write = Write(hash: hash, number: number)
      let earlier: [Int]
      if let hash {
        earlier = state.predecessor(of: hash, ignoringClears: clearsAtOnce).map { [$0] } ?? []
      } else if clearsAtOnce {
        (state.lastPassing, earlier) = (id, [])
      } else {  // Waits for each key's last write, which waits for the earlier ones.
        earlier = state.last.values + (state.lastClear.map { [$0] } ?? [])
      }
      for other in earlier { state.writes[other]?.followers.append(id) }
      write.missing = earlier.count
      write.barrier = isFill ? earlier.first.flatMap { state.writes[$0]?.barrier } : id
      if !earlier.isEmpty { write.work = work(id) }
      state.writes[id] = write
      if let hash {
        state.last[hash] = id
        if stage != nil { state.counts[hash] = (state.counts[hash] ?? 0) + 1 }
      } else {
        state.lastClear = id
        state.clears += 1
      }
      return (id, earlier.isEmpty)
    }
  }

  /// Ends a write, and runs the operations that waited only for this write. The gets run first,
  /// because callers called them before the waiting writes.
  func end(_ id: Int) {
    let (gets, begun, number) = state.withLock {
      state -> ([Int: Work], [(id: Int, work: Work?)], Int?) in
      guard let write = state.writes.removeValue(forKey: id) else { return ([:], [], nil) }
      inFlight.wrappingSubtract(1, ordering: .releasing)
      if let hash = write.hash {
        if state.last[hash] == id { state.last[hash] = nil }
        if let count = state.counts[hash] { state.counts[hash] = count == 1 ? nil : count - 1 }
      } else {
        state.clears -= 1
        if state.lastClear == id { state.lastClear = nil }
      }
      var begun: [(Int, Work?)] = []
      for follower in write.followers {
        state.writes[follower]?.missing -= 1
        guard state.writes[follower]?.missing == 0 else { continue }
        begun.append((follower, state.writes[follower]?.work.take()))
      }
      return (write.gets, begun, write.number)
    }
    for get in gets.sorted(by: { $0.key < $1.key }) { get.value() }
    for (id, work) in begun { Trampoline.run(work ?? { self.end(id) }) }
    if let number { work.end(number) }
  }

  /// Whether a key counts as absent because a clear was called after every write to it, even if
  /// earlier operations haven't ended.
  func isCleared(_ hash: Int) -> Bool {
    guard clearsAtOnce, !isQuiet else { return false }
    return state.withLock { state in
      guard let write = state.last[hash] else { return state.lastClear != nil }
      return write < state.lastPassing
    }
  }

  /// The maximum number of writes of one key, and of clears, in flight in a bounded queue. Without
  /// a bound, the writes to a level that hangs would need more and more memory.
  static let mostWrites = 10_000

  /// Whether too many writes of a key are in flight, or too many clears if `hash` is `nil`.
  func isFull(_ hash: Int?) -> Bool {
    guard stage != nil, !isQuiet else { return false }
    return state.withLock { state in
      let count = if let hash { state.counts[hash] ?? 0 } else { state.clears }
      return count >= Self.mostWrites
    }
  }

  /// Whether a clear has overtaken a write that hasn't ended.
  func isOutrun(_ id: Int) -> Bool { state.withLock { id < $0.lastPassing } }

  /// Drops the work of a write that hasn't begun. The write keeps its place in the queue.
  func drop(_ id: Int) { _ = state.withLock { $0.writes[id]?.work.take() } }

  /// Returns a promise that settles when the earlier writes to a key have ended, or `nil` if there
  /// are none. When it's cancelled, it leaves no state behind.
  package func earlierWrites(of hash: Int) -> Promise<Void>? {
    if isQuiet { return nil }
    let get = Pending<Void>()
    let place = state.withLock { state -> (write: Int, number: Int)? in
      guard let last = state.predecessor(of: hash, ignoringClears: clearsAtOnce),
        let write = state.writes[last]?.barrier, state.writes[write] != nil
      else { return nil }
      state.lastID += 1
      state.writes[write]?.gets[state.lastID] = { get.settle(.success(())) }
      return (write, state.lastID)
    }
    guard let place else { return nil }
    get.onCancel { [self] in
      _ = state.withLock { $0.writes[place.write]?.gets.removeValue(forKey: place.number) }
    }
    return Promise(.pending(get))
  }

  /// The number of writes that wait or run, and the number of waiting gets.
  var count: (writes: Int, gets: Int) {
    state.withLock { ($0.writes.count, $0.writes.values.reduce(0) { $0 + $1.gets.count }) }
  }
}
