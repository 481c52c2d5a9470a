import Synchronization

/// Orders the in-flight operations on each key.
///
/// All code in the library that orders operations uses this type. The type follows three rules:
///
/// - A write *waits* for the earlier writes to its key, and a get waits for the writes that it must
///   see. See `WriteQueue`.
/// - A write *overtakes* the in-flight gets of its key, so a value that was read before the write
///   isn't stored. See `WriteTracker`.
/// - A write that *exceeds its time bound* doesn't delay other operations. Until a timed-out write
///   settles, the value of its key is *unknown*. See `UnknownValues`.
///
/// A sum uses one queue for each of its levels. Callers pass hashes instead of keys, so no user
/// code runs while the lock is held. Usually, one atomic load shows that a get can read every level
/// without waiting for a write.
@usableFromInline
package final class OperationOrder: Sendable {
  /// The rule that determines which operations have to wait for earlier writes.
  package enum Rule: Sendable {
    /// The rule for a level. A write to all keys, such as a `clear`, waits for every earlier write.
    /// A get waits for every earlier write to its key.
    case level
    /// The rule for a level of a sum. A write to all keys, such as a `clear`, doesn't wait for the
    /// writes to single keys. After a `clear`, a get skips the level if an earlier write to the key
    /// is still in flight. Such a get waits until the level has received the `clear`, but not until
    /// the `clear` has settled. See `UnreceivedWrites`. A write to a key waits for the earlier
    /// writes to the same key or to all keys. A get of the key waits for the end of a write only if
    /// the write had to wait. If a write doesn't have to wait, the level receives the write before
    /// a later get, so the level itself runs both in the right order.
    case sum
    /// The rule for a level that receives every operation immediately, so no operation waits.
    case immediate
    /// The rule for a level that receives every operation immediately and returns correct values
    /// even while its writes are in flight. The library uses this rule if the level is a sum, or a
    /// sum to which verbs were applied.
    case ordered
  }

  struct State {
    var tracker: WriteTracker
    var queues: [WriteQueue]
    var lastWrite = 0
    var detours = 0

    mutating func withQueue<Result>(
      _ index: Int, _ body: (inout WriteQueue) -> Result
    ) -> Result {
      let before = queues[index].detours
      defer { detours += queues[index].detours - before }
      return body(&queues[index])
    }
  }

  /// Two values in one word, so one atomic load reads both. The upper bits contain the version of
  /// the `WriteTracker`. The lowest bit is 1 if any get might have to wait for a write or skip a
  /// level.
  @usableFromInline let word = Atomic<UInt>(0)
  private let lastGet = Atomic<UInt>(0)
  let state: Lock<State>

  /// Creates an instance without operations in flight.
  ///
  /// - Parameters:
  ///   - queues: The number of queues.
  ///   - rule: The rule that every queue follows. The default is `.sum`.
  package convenience init(queues: Int = 1, _ rule: Rule = .sum) {
    self.init(Array(repeating: rule, count: queues), WriteTracker(changes: 0))
  }

  /// Creates an instance with one queue for each rule, and without operations in flight.
  @inline(never)
  init(_ rules: [Rule], _ tracker: WriteTracker = WriteTracker()) {
    state = Lock(State(tracker: tracker, queues: rules.map { WriteQueue($0) }))
  }

  /// Whether every get can proceed without waiting for a write or skipping a level.
  @inlinable var isQuiet: Bool { word.load(ordering: .acquiring) & 1 == 0 }

  /// Returns the hash of a key. The other functions of this type take the hash, not the key.
  @inlinable
  package static func hash<Key: Hashable>(_ key: Key) -> Int {
    Int(truncatingIfNeeded: KeyHash.ofProcess(key))
  }

  func update<Result>(_ body: (inout State) -> Result) -> Result {
    state.withLock { state in
      defer {
        word.store(state.tracker.version << 1 | (state.detours > 0 ? 1 : 0), ordering: .releasing)
      }
      return body(&state)
    }
  }
}

extension OperationOrder /* : gets in flight */ {
  /// Starts tracking a get, so that a later write can prevent the get from storing its value.
  package func begin(_ hash: Int) -> WriteTracker.Get {
    update { $0.tracker.begin(hash, number: nextNumber()) }
  }

  /// Creates an untracked `Get`. The argument `seen` is the tracker's version at the start of the
  /// get. Doesn't acquire the lock.
  @usableFromInline
  func get(_ hash: Int, seen: UInt) -> WriteTracker.Get {
    WriteTracker.Get(hash, seen: seen, number: nextNumber())
  }

  private func nextNumber() -> UInt { lastGet.wrappingAdd(1, ordering: .relaxed).newValue }

  /// Starts tracking a get that has to wait for a level. Returns `nil` if a write to the key is in
  /// flight, or if a write to the key has ended since the get started.
  func begin(_ get: WriteTracker.Get) -> WriteTracker.Get? { update { $0.tracker.begin(get) } }

  package func end(_ get: WriteTracker.Get) { update { $0.tracker.end(get) } }

  /// Whether the value of a get is still current, which means that no write has overtaken the get.
  package func isCurrent(_ get: WriteTracker.Get) -> Bool {
    state.withLock { $0.tracker.isCurrent(get) }
  }

  /// Returns whether the value of a get may be stored. After this function has returned true, gets
  /// of the same key that started before `get` can't store their values.
  func mayStore(_ get: WriteTracker.Get) -> Bool { update { $0.tracker.beginBackFill(get) } }

  /// Prevents the in-flight gets of a key from storing their values. If `hash` is `nil`, the call
  /// affects the in-flight gets of all keys.
  package func overtake(_ hash: Int?) {
    update { state in
      state.tracker.beginWrite(hash)
      state.tracker.endWrite(hash)
    }
  }

  /// Runs a write. Gets of the key can't store their values if they are in flight when the write
  /// begins or settles.
  ///
  /// The returned promise settles after the write has settled and `discard` has returned.
  ///
  /// - Parameter discard: A closure that removes the results that in-flight gets have already
  ///   stored, such as remembered misses. This function calls `discard` before it calls `write`,
  ///   and again after the write has settled.
  func overtaking(
    _ hash: Int?, then discard: @escaping @Sendable () -> Void = {}, _ write: () -> Promise<Void>
  ) -> Promise<Void> {
    update { $0.tracker.beginWrite(hash) }
    discard()
    return write().observed { _ in
      self.endWrite(hash)
      discard()
    }.flatMapOutcome { Promise(outcome: $0) }
  }
}

extension OperationOrder /* : writes that wait for each other */ {
  /// Begins a write, and adds it to every queue.
  ///
  /// The caller must call `finish` once for each queue, and then `endWrite` once.
  ///
  /// - Parameter work: A closure that returns the work to run later. This function calls the
  ///   closure `work` once for each queue in which the write has to wait.
  /// - Returns: The ID of the write in the first queue, and the queues in which the write may begin
  ///   now. The ID of the write in the queue with index *i* is `first + i`.
  func beginWrite(
    _ hash: Int?, _ work: (_ queue: Int, _ id: Int) -> WriteQueue.Work
  ) -> (first: Int, mayBegin: [Int]) {
    update { state in
      state.tracker.beginWrite(hash)
      let first = state.lastWrite + 1
      state.lastWrite += state.queues.count
      let mayBegin = state.queues.indices.filter { queue in
        let id = first + queue
        return state.withQueue(queue) { $0.add(id, of: hash) { work(queue, id) } }
      }
      return (first, mayBegin)
    }
  }

  func endWrite(_ hash: Int?) { update { $0.tracker.endWrite(hash) } }

  /// Adds a write to the first queue, which must be the only queue. Returns the ID of the write,
  /// and whether the write may begin now.
  func addWrite(_ hash: Int?, _ work: @escaping @Sendable (_ id: Int) -> Void) -> (Int, Bool) {
    update { state in
      state.lastWrite += 1
      let id = state.lastWrite
      return (id, state.withQueue(0) { $0.add(id, of: hash) { { work(id) } } })
    }
  }

  /// Begins a back-fill and returns its ID. Returns `nil` if a write has overtaken the get, or if
  /// another write to the key is in flight in the queue.
  ///
  /// At most one back-fill of a key is in flight in each queue, so a level that hangs receives only
  /// one back-fill of each key. Gets don't wait for a back-fill.
  @usableFromInline
  func beginBackFill(_ get: WriteTracker.Get, queue: Int = 0) -> Int? {
    update { state in
      let id = state.lastWrite + 1
      guard state.queues[queue].addBackFill(id, by: get, in: &state.tracker) else { return nil }
      state.lastWrite = id
      return id
    }
  }

  /// Removes a settled write from a queue. Returns the operations that were waiting for the write.
  @inline(never)
  @usableFromInline
  func finish(
    _ id: Int, of hash: Int?, queue: Int = 0, succeeded: Bool = true
  ) -> WriteQueue.Next {
    update { state in
      let removal = state.lastWrite + 1
      let next = state.withQueue(queue) {
        $0.finish(id, of: hash, succeeded: succeeded, removal: removal)
      }
      if next.removal != nil { state.lastWrite = removal }
      return next
    }
  }

  /// Returns a promise that settles when a get no longer has to wait for earlier writes, or `nil`
  /// if the get can begin now.
  @inlinable
  func earlierWrites(of hash: Int, queue: Int = 0) -> Promise<Void>? {
    isQuiet ? nil : wait(hash, queue: queue)
  }

  @usableFromInline
  func wait(_ hash: Int, queue: Int) -> Promise<Void>? {
    wait(queue: queue) { $0.wait(hash, $1) }
  }

  /// Adds a get to a queue. Returns a promise that settles when the get may begin, or `nil` if the
  /// get may begin now. The closure `add` adds the get, or returns `nil` if the get doesn't have to
  /// wait.
  func wait(
    queue: Int, _ add: (inout WriteQueue, @escaping WriteQueue.Work) -> WriteQueue.WaitingGet?
  ) -> Promise<Void>? {
    let end = Pending<Void>()
    let get = update { state in add(&state.queues[queue]) { end.settle(.success(())) } }
    guard let get else { return nil }
    end.onCancel { [self] in _ = update { $0.queues[queue].cancel(get) } }
    return Promise(.pending(end))
  }

  /// The number of get operations that are waiting for a write.
  var waitingGets: Int { state.withLock { $0.queues.reduce(0) { $0 + $1.waitingGets } } }
}
