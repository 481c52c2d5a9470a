/// Decides in which order a sum calls its levels, which back-fills are stale, and which levels a get
/// must skip.
///
/// - While an operation of a key calls the levels, it has the *turn* of its key. Later operations of
///   the key are *parked*, and the operation that leaves passes the turn on.
/// - The caller of a parked write returns before the levels are called. Such a write is *detached*,
///   and gets of its key wait until it has been called.
/// - If a clear begins during a turn, the turn is *outrun*: the clear and the write may have reached
///   the levels in different orders, so the key is removed afterwards.
/// - After a write to a level has failed or is late, its key is *hidden* in that level. See
///   `CallOrder+Hidden.swift`.
///
/// This type has no closures, no clocks, and no locks, so a test can visit all of its states.
struct CallOrder {
  typealias Ticket = KeyVersions.Version

  /// A key, boxed and known by its identity. Keys with equal hashes share their turn, but a hidden key
  /// must be known itself.
  typealias HiddenKey = any AnyObject & Sendable

  struct Turn {
    var running: Ticket
    var isDetached = false
    /// Writes that haven't called any level yet, in call order.
    var parked: [Ticket] = []
  }

  var versions: KeyVersions
  private(set) var turns = HashKeyedTable<Turn>()
  /// The number of parked and detached writes.
  private(set) var detached = 0
  /// The number of turns that a clear has outrun.
  private(set) var outrun = 0
  /// The ticket of the last operation that called a level's `clear`.
  private(set) var lastClear: Ticket = 0
  /// By level, the ticket of the last operation that called its `clear`.
  private(set) var clears: [Ticket]
  /// The back-fills that haven't settled yet.
  private(set) var fills: Set<Fill> = []
  /// By level, the keys that gets must skip. `nil` stands for all keys.
  var hidden: [Int: [Int?: Hidden]] = [:]
  /// Objects that the caller must release outside the lock.
  var dropped: [HiddenKey] = []
  let levels: Range<Int>
  /// The maximum number of hidden keys of one level, and of parked writes of one key.
  let capacity: Int

  struct Fill: Hashable {
    let hash: Int
    let level: Int
  }

  init(levels: Int, remembering changes: Int = 1_024, capacity: Int = 10_000) {
    versions = KeyVersions(remembering: changes)
    clears = Array(repeating: 0, count: levels)
    (self.levels, self.capacity) = (0..<levels, capacity)
  }

  /// Whether a get may read the first level without asking this type.
  var isTopQuiet: Bool { detached == 0 && outrun == 0 && hidden[0] == nil }

  /// Whether a get may read every level without asking this type.
  var isQuiet: Bool { detached == 0 && outrun == 0 && hidden.isEmpty }
}

extension CallOrder /* : writes */ {
  /// What calls the levels: a caller's write, a back-fill, or the removal of hidden keys.
  enum Role { case write, fill, repair }

  /// Begins a write to a key, or to all keys if `hash` is `nil`. It may call the levels if
  /// `mayCall` is true, and is parked otherwise. A clear is never parked.
  mutating func begin(_ hash: Int?) -> (ticket: Ticket, mayCall: Bool) {
    let ticket = versions.begin(hash)
    guard let hash else {
      outrunTurns(by: ticket, in: Array(levels))
      return (ticket, true)
    }
    guard turns[hash] != nil else {
      turns[hash] = Turn(running: ticket)
      return (ticket, true)
    }
    turns.update(hash) { $0.parked.append(ticket) }
    detached += 1
    return (ticket, false)
  }

  /// Records that an operation has called its levels. Returns the parked write that may call the
  /// levels now.
  ///
  /// - Parameter key: The key that is hidden if a clear has outrun the operation, or `nil` for the
  ///   repair of a level.
  mutating func leave(
    _ ticket: Ticket, _ hash: Int?, _ role: Role, _ key: @autoclosure () -> HiddenKey?
  ) -> Ticket? {
    if role == .write { versions.change(hash) }
    guard let hash, let turn = turns[hash], turn.running == ticket else { return nil }
    if turn.isDetached { detached -= 1 }
    if ticket < lastClear {
      outrun -= 1
      if let key = key() {
        for level in levels where ticket < clears[level] {
          hide(hash, in: level, lastClear, needsRemoval: true, isAbsent: true, [key])
        }
      }
    }
    guard let next = turn.parked.first else {
      turns[hash] = nil
      return nil
    }
    turns.update(hash) { turn in
      turn.parked.removeFirst()
      (turn.running, turn.isDetached) = (next, true)
    }
    if next < lastClear { outrun += 1 }
    return next
  }

  /// Records that an operation has called its levels, and that all of them have settled it. Nobody
  /// may wait for it, and no key may be hidden.
  mutating func leaveQuietly(_ hash: Int?, _ role: Role) {
    if let hash { turns[hash] = nil }  // No other operation of the key can have the turn.
    if role == .write { versions.end(hash) }
  }

  private mutating func outrunTurns(by clear: Ticket, in levels: [Int]) {
    for level in levels { clears[level] = clear }
    (lastClear, outrun) = (clear, turns.count)
  }

  /// Records that every level has settled a write or is late with it. Gets no longer wait for the
  /// write, even if a call still blocks.
  mutating func end(_ ticket: Ticket, _ hash: Int?) {
    versions.end(hash)
    guard let hash, let turn = turns[hash], turn.running == ticket, turn.isDetached else { return }
    turns.update(hash) { $0.isDetached = false }
    detached -= 1
  }

  /// Ends a parked write that has exceeded its bound. It never calls a level, and its key is removed
  /// instead. Returns `false` if the write isn't parked.
  ///
  /// - Parameter keys: For each level, the key that is hidden there.
  mutating func expire(_ ticket: Ticket, _ hash: Int, _ keys: [HiddenKey]) -> Bool {
    guard let place = turns[hash]?.parked.firstIndex(of: ticket) else { return false }
    turns.update(hash) { $0.parked.remove(at: place) }
    detached -= 1
    for level in levels {
      hide(hash, in: level, ticket, needsRemoval: true, isAbsent: false, [keys[level]])
    }
    versions.end(hash)
    return true
  }

  /// Whether a write is calling the levels.
  func isCalling(_ ticket: Ticket, _ hash: Int) -> Bool { turns[hash]?.running == ticket }

  /// Whether so many writes of a key are parked that no other one may be.
  func isFull(_ hash: Int) -> Bool { (turns[hash]?.parked.count ?? 0) > capacity }
}

extension CallOrder /* : gets and back-fills */ {
  /// Returns the write that a get must wait for: its caller has returned, but not all levels have
  /// been called.
  func detachedWrite(_ hash: Int) -> Ticket? {
    turns[hash].flatMap { $0.parked.last ?? ($0.isDetached ? $0.running : nil) }
  }

  /// Whether a get must skip a level. `nil` means no. Otherwise, the result is whether the key
  /// counts as absent there, and the keys that are hidden, or no keys if all keys with the hash are.
  func skip(_ hash: Int, in level: Int) -> (isAbsent: Bool, keys: [HiddenKey])? {
    if outrun > 0, let turn = turns[hash], turn.running < clears[level] { return (true, []) }
    guard let keys = hidden[level] else { return nil }
    if let all = keys[nil] { return (all.isAbsent, []) }
    return keys[hash].map { ($0.isAbsent, $0.keys) }
  }

  /// Begins a back-fill. Returns `nil` if the key may have been written since the get began.
  mutating func fill(_ hash: Int, since version: Ticket) -> Ticket? {
    guard isAtRest(hash), !versions.isWritten(hash, since: version) else { return nil }
    turns[hash] = Turn(running: versions.change(hash))
    return versions.now
  }

  /// Whether a back-fill may call a level. It must not if the key is hidden, or if an earlier
  /// back-fill of the key hasn't settled there.
  func mayFill(_ hash: Int, in level: Int) -> Bool {
    skip(hash, in: level) == nil && !fills.contains(Fill(hash: hash, level: level))
  }

  /// Whether a back-fill may call every level.
  var mayFillAll: Bool { isQuiet && fills.isEmpty }

  /// Records that a level hasn't settled a back-fill when its call returned.
  mutating func beginWaiting(forFillOf hash: Int, in level: Int) {
    fills.insert(Fill(hash: hash, level: level))
  }

  /// Records that a level has settled a back-fill.
  mutating func endWaiting(forFillOf hash: Int, in level: Int) {
    fills.remove(Fill(hash: hash, level: level))
  }

  /// Gives the turn of a key to its removal. For a removal of all keys, outruns the turns.
  mutating func beginRepair(_ hash: Int?, in levels: [Int]) -> Ticket {
    guard let hash else {
      outrunTurns(by: versions.change(nil), in: levels)
      return lastClear
    }
    let ticket = versions.tick()
    turns[hash] = Turn(running: ticket)
    return ticket
  }

  /// Whether a key may be removed from its levels now. An open write may make the removal
  /// unnecessary.
  func isAtRest(_ hash: Int) -> Bool { turns[hash] == nil && !versions.isOpen(hash) }
}
