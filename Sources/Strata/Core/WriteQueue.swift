/// Orders the writes to each key. A write waits until the earlier writes to its key have settled or
/// exceeded their time bound.
///
/// A get waits for earlier writes, but no operation waits for a get. Callers pass the hash of a key
/// instead of the key. Keys with equal hashes share a queue, which may delay an operation but never
/// changes its result.
///
/// This type isn't thread-safe. The owner guards the queue with a lock. After the owner has
/// released the lock, it runs the closures that the queue's functions return. The size of the queue
/// is limited by the number of writes in flight.
@usableFromInline
struct WriteQueue {
  typealias Work = @Sendable () -> Void

  /// A get, or a removal, that is waiting for a write.
  struct WaitingGet: Sendable {
    fileprivate let write: Int
    fileprivate let number: Int
  }

  private let rule: OperationOrder.Rule
  private(set) var unknown = UnknownValues()
  private var last = HashKeyedTable<Int>()  // The last in-flight write for each key hash.
  private var lastOfAll: Int?
  private var unreceived = UnreceivedWrites()
  private var writes: [Int: QueuedWrite] = [:]  // Writes that wait or may delay operations.
  private var lastGet = 0
  /// The number of keys whose last in-flight write is older than the last `clear`.
  private var cleared = 0

  /// The number of in-flight writes for which a get may have to wait.
  private(set) var holding = 0

  /// If this count is zero, no get has to wait for a write or skip the level.
  var detours: Int { holding + unknown.count + cleared }

  init(_ rule: OperationOrder.Rule = .sum) { self.rule = rule }

  /// The number of waiting gets.
  var waitingGets: Int { writes.values.reduce(0) { $0 + $1.gets.count } }

  /// The number of stored entries.
  var count: Int { last.count + unreceived.count + writes.count + (lastOfAll == nil ? 0 : 1) }

  /// Whether gets must skip the level for the key with this hash.
  func skips(_ hash: Int) -> Bool {
    unknown.contains(hash) || cleared > 0 && last[hash].map(isCleared) == true
  }

  private func isCleared(_ id: Int) -> Bool { rule == .sum && id < unknown.lastClear }

  /// Adds a back-fill. Gets don't wait for back-fills. Returns whether the back-fill may begin.
  ///
  /// A back-fill must not begin if a write has overtaken the get that read the value. A back-fill
  /// also must not begin while a write to its key is in flight, or while the key's value is
  /// unknown.
  mutating func addBackFill(
    _ id: Int, by get: WriteTracker.Get, in tracker: inout WriteTracker
  ) -> Bool {
    guard last[get.hash] == nil, lastOfAll == nil, !unknown.contains(get.hash),
      tracker.beginBackFill(get)
    else { return false }
    last[get.hash] = id
    return true
  }

  /// Adds a write. Returns whether the write may begin now. If the write has to wait, the queue
  /// stores a closure that begins the write later.
  ///
  /// - Parameters:
  ///   - hash: The hash of the key, or `nil` for a write to all keys.
  ///   - work: Returns the closure that begins the write. Called only if the write has to wait.
  mutating func add(_ id: Int, of hash: Int?, _ work: () -> Work) -> Bool {
    let mayBegin = add(id, of: hash)
    if !mayBegin { writes[id]?.work = work() }
    return mayBegin
  }

  private mutating func add(_ id: Int, of hash: Int?) -> Bool {
    let earlier = predecessors(of: hash)
    if let hash, let id = last[hash], isCleared(id) {
      unknown.add(cleared: id, of: hash)
      cleared -= 1
    }
    unknown.overtake(hash, by: id)
    guard rule == .sum || rule == .level else { return addImmediate(id, of: hash) }
    if let hash {
      last[hash] = id
    } else {
      addToAll(id)
    }
    let isHolding = rule == .level || !earlier.isEmpty
    if isHolding { holding += 1 }
    guard isHolding else { return true }
    for other in earlier { writes[other, default: QueuedWrite()].followers.append(id) }
    writes[id] = QueuedWrite(predecessors: earlier.count, isHolding: true)
    return earlier.isEmpty
  }

  private mutating func addToAll(_ id: Int) {
    lastOfAll = id
    guard rule == .sum else { return last = HashKeyedTable() }
    cleared = last.count
    unreceived.add(clear: id)
  }

  private mutating func addImmediate(_ id: Int, of hash: Int?) -> Bool {
    if let hash {
      if let other = last[hash] { writes[other]?.isOvertaken = true }
      last[hash] = id
    }
    writes[id] = QueuedWrite()
    return true
  }

  private func predecessors(of hash: Int?) -> Set<Int> {
    guard rule == .sum || rule == .level else { return [] }
    var earlier: Set<Int> = rule == .level && hash == nil ? Set(last.values) : []
    if let hash, let id = last[hash] { earlier.insert(id) }
    if let hash, let id = unreceived.removal(of: hash) { earlier.insert(id) }
    if let lastOfAll { earlier.insert(lastOfAll) }
    return earlier
  }

  /// Removes a settled write, and returns the closures that may run now. If the level needs a
  /// removal, this function begins the removal with the ID `removal`.
  mutating func finish(
    _ id: Int, of hash: Int?, succeeded: Bool = true, removal: Int
  ) -> Next {
    if isCleared(id), let hash, last[hash] == id { unknown.add(cleared: id, of: hash) }
    var next = leave(id, of: hash)
    if unknown.settle(id, of: hash, succeeded: succeeded) {
      next.removal = addRemoval(removal, of: hash)
    }
    return next
  }

  /// Removes a write that has exceeded its time bound. Returns the closures that may run now, or
  /// `nil` if the write has already settled.
  ///
  /// The value of the write's key is unknown until the write settles. A write that hasn't begun
  /// keeps its position in the queue.
  mutating func expire(_ id: Int, of hash: Int?) -> Next? {
    let write = writes[id]
    guard write != nil || (hash.map { last[$0] } ?? lastOfAll) == id else { return nil }
    if rule != .ordered {
      let isOvertaken = write.map { $0.isOvertaken || !$0.followers.isEmpty } ?? false
      unknown.add(late: id, of: hash, isOvertaken: isOvertaken)
    }
    return write?.work == nil ? leave(id, of: hash) : Next()
  }

  /// Begins a removal of a key, or of all keys, if the level may have outdated values. Returns
  /// `nil` if no removal is needed, or if a removal or a write to the key is in flight. An
  /// in-flight write may make the removal unnecessary.
  mutating func beginRemoval(_ id: Int, of hash: Int?) -> Removal? {
    guard lastOfAll == nil, hash.map({ last[$0] == nil }) ?? true else { return nil }
    return addRemoval(id, of: hash)
  }

  /// Adds a removal. Later writes wait until the level has received the removal, so the removal
  /// can't remove their values.
  private mutating func addRemoval(_ id: Int, of hash: Int?) -> Removal? {
    guard let removal = unknown.beginRemoval(hash, id) else { return nil }
    if removal.isOfAll {
      lastOfAll = lastOfAll ?? id
    } else if let hash {
      unreceived.add(removal: id, of: hash)
    }
    return removal
  }

  /// Records that the level has received a removal, and returns the writes that may begin now.
  mutating func receive(_ removal: Removal, of hash: Int?) -> Next {
    if let hash { unreceived.receive(removal: removal.id, of: hash) }
    return leave(removal.id, of: nil)
  }

  /// Records that the level has received a `clear`, and returns the operations that may begin now.
  mutating func receive(clear id: Int) -> Next {
    guard unreceived.receive(clear: id) else { return Next() }
    return leave(UnreceivedWrites.receipt(of: id), of: nil)
  }

  /// Records that a removal has settled.
  mutating func endRemoval(_ removal: Removal, of hash: Int?, succeeded: Bool) {
    unknown.endRemoval(removal.id, of: removal.isOfAll ? nil : hash, succeeded: succeeded)
  }

  private mutating func leave(_ id: Int, of hash: Int?) -> Next {
    if let hash, last[hash] == id {
      if isCleared(id) { cleared -= 1 }
      last[hash] = nil
    }
    if lastOfAll == id { lastOfAll = nil }
    var next = hash == nil ? receive(clear: id) : Next()
    guard !writes.isEmpty, let write = writes.removeValue(forKey: id) else { return next }
    if write.isHolding { holding -= 1 }
    next.gets += write.gets.map(\.work)
    next.writes += write.followers.compactMap { release($0) }
    return next
  }

  private mutating func release(_ id: Int) -> Work? {
    writes[id]?.predecessors -= 1
    guard writes[id]?.predecessors == 0 else { return nil }
    return writes[id]?.work.take()
  }

  /// Adds a get that waits for the last write to its key. Returns `nil` if the get doesn't have to
  /// wait.
  mutating func wait(_ hash: Int, _ work: @escaping Work) -> WaitingGet? {
    guard let id = last[hash] ?? lastOfAll, writes[id]?.isHolding == true,
      !isCleared(id), !unknown.isWaiting(for: id, of: hash)
    else { return nil }
    return wait(for: id, work)
  }

  /// Adds a get that must skip the level because of a `clear`. The get waits until the level has
  /// received the `clear`. Returns `nil` if the get can skip the level now.
  mutating func waitForClear(_ hash: Int, _ work: @escaping Work) -> WaitingGet? {
    guard skips(hash), !unknown.isUnknown(hash),
      let clear = unreceived.clear(after: unknown.contains(hash) ? nil : last[hash])
    else { return nil }
    return wait(for: UnreceivedWrites.receipt(of: clear), work)
  }

  /// Adds a removal that waits until the level has received the first unreceived `clear` that was
  /// ordered before the removal. Returns `nil` if the removal doesn't have to wait.
  mutating func wait(_ removal: Removal, _ work: @escaping Work) -> WaitingGet? {
    unreceived.clear(before: removal.id).map {
      wait(for: UnreceivedWrites.receipt(of: $0), work)
    }
  }

  private mutating func wait(for id: Int, _ work: @escaping Work) -> WaitingGet {
    lastGet += 1
    writes[id, default: QueuedWrite()].gets.append((lastGet, work))
    return WaitingGet(write: id, number: lastGet)
  }

  /// Removes a waiting get. The caller must release the returned closure outside the lock.
  mutating func cancel(_ get: WaitingGet) -> Work? {
    guard let index = writes[get.write]?.gets.firstIndex(where: { $0.number == get.number }) else {
      return nil
    }
    return writes[get.write]?.gets.remove(at: index).work
  }
}
