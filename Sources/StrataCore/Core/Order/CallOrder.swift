/// Decides in which order the operations of a sum call the levels, which back-fills are outdated,
/// and which levels a get must skip.
///
/// - While an operation calls the levels, it has the *turn* of its key. Later operations of the key
///   are *parked*. When the operation has called all levels, it passes the turn on to the next one.
/// - The call of a parked write returns before the write has called the levels. Once such a parked
///   write has the turn, it's *detached*. Gets of the key wait until its parked and detached writes
///   have called the levels.
/// - When a clear begins during a turn, the turn is *outrun*. Then the clear and the write may
///   reach the levels in different orders, so the key is removed afterward.
/// - When a write to a level has failed or is late, its key is *hidden* in this level. See
///   `CallOrder+Hidden.swift`.
///
/// This type has no closures, no clocks, and no locks, so a test can visit all of its states.
package struct CallOrder {
  typealias Ticket = KeyVersions.Version

  /// A boxed key. Boxes are compared by identity. Keys with equal hashes share their turn, but each
  /// hidden key is recorded separately.
  package typealias HiddenKey = any AnyObject & Sendable

  struct Turn {
    var running: Ticket
    var isDetached = false
    /// The writes that haven't called any level yet, in the order of their calls.
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
  /// For each level, the ticket of the last operation that called its `clear`.
  private(set) var clears: [Ticket]
  /// The back-fills that haven't settled yet.
  private(set) var fills: Set<Fill> = []
  /// For each level, the keys for which gets must skip the level, by their hash. The hash `nil`
  /// stands for all keys.
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

  /// Whether a get may read the first level without a further check.
  var isTopQuiet: Bool { detached == 0 && outrun == 0 && hidden[0] == nil }

  /// Whether a get may read every level without a further check.
  var isQuiet: Bool { detached == 0 && outrun == 0 && hidden.isEmpty }
}

extension CallOrder /* : writes */ {
  /// The kind of an operation that calls the levels: a caller's write, a back-fill, or the removal
  /// of hidden keys.
  enum Role { case write, fill, repair }

  /// Begins a write to a key, or to all keys if `hash` is `nil`. When `mayCall` is `true`, the
  /// write may call the levels, and otherwise it's parked. Clears are never parked.
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
  /// - Parameter key: The key to hide if a clear has outrun the operation. It's `nil` if the
  ///   operation repairs a level.
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

  /// Records that an operation has called its levels, and that all of them have settled it. Call
  /// this function only if no operation waits for this one, and no key is hidden.
  mutating func leaveQuietly(_ hash: Int?, _ role: Role) {
    if let hash { turns[hash] = nil }  // No other operation of the key can have the turn.
    if role == .write { versions.end(hash) }
  }

  private mutating func outrunTurns(by clear: Ticket, in levels: [Int]) {
    for level in levels { clears[level] = clear }
    (lastClear, outrun) = (clear, turns.count)
  }

  /// Records that every level has settled a write or is late with it. Gets no longer wait for the
  /// write, even if its call of a level still blocks.
  mutating func end(_ ticket: Ticket, _ hash: Int?) {
    versions.end(hash)
    guard let hash, let turn = turns[hash], turn.running == ticket, turn.isDetached else { return }
    turns.update(hash) { $0.isDetached = false }
    detached -= 1
  }

  /// Ends a parked write that has exceeded its bound. The write never calls a level. Instead, its
  /// key is hidden in each level until it has been removed there. Returns `false` if the write isn't
  /// parked.
  ///
  /// - Parameter keys: For each level, the key to hide there.
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

  /// Whether a write is calling the levels now.
  func isCalling(_ ticket: Ticket, _ hash: Int) -> Bool { turns[hash]?.running == ticket }

  /// Whether more writes of a key are parked than the capacity allows.
  func isFull(_ hash: Int) -> Bool { (turns[hash]?.parked.count ?? 0) > capacity }
}

extension CallOrder /* : gets and back-fills */ {
  /// Returns the write that a get must wait for: the last write whose call has returned before the
  /// write has called all levels.
  func detachedWrite(_ hash: Int) -> Ticket? {
    turns[hash].flatMap { $0.parked.last ?? ($0.isDetached ? $0.running : nil) }
  }

  /// Returns `nil` if a get may read a level. When the get must skip it, returns whether the key
  /// counts as absent there, and the hidden keys with this hash. If all keys with this hash are
  /// hidden, the array is empty.
  func skip(_ hash: Int, in level: Int) -> (isAbsent: Bool, keys: [HiddenKey])? {
    if outrun > 0, let turn = turns[hash], turn.running < clears[level] { return (true, []) }
    guard let keys = hidden[level] else { return nil }
    if let all = keys[nil] { return (all.isAbsent, []) }
    return keys[hash].map { ($0.isAbsent, $0.keys) }
  }

  /// Begins a back-fill. Returns `nil` if the key may have been written since the get began.
  mutating func fill(_ hash: Int, since version: Ticket) -> Ticket? {
    guard isAtRest(hash), !versions.isWritten(hash, since: version) else { return nil }
    let number = versions.fill(hash)
    turns[hash] = Turn(running: number)
    return number
  }

  /// Whether a back-fill may call a level. The back-fill must skip the level if the key is hidden
  /// there, or if an earlier back-fill of the key is still in flight there.
  func mayFill(_ hash: Int, in level: Int) -> Bool {
    skip(hash, in: level) == nil && !fills.contains(Fill(hash: hash, level: level))
  }

  /// Whether a back-fill may call every level.
  var mayFillAll: Bool { isQuiet && fills.isEmpty }

  /// Records that the call of a back-fill has returned before the level has settled it.
  mutating func beginWaiting(forFillOf hash: Int, in level: Int) {
    fills.insert(Fill(hash: hash, level: level))
  }

  /// Records that a level has settled a back-fill.
  mutating func endWaiting(forFillOf hash: Int, in level: Int) {
    fills.remove(Fill(hash: hash, level: level))
  }

  /// Gives the turn of a key to its removal. A removal of all keys outruns all turns instead.
  mutating func beginRepair(_ hash: Int?, in levels: [Int]) -> Ticket {
    guard let hash else {
      outrunTurns(by: versions.change(nil), in: levels)
      return lastClear
    }
    let ticket = versions.tick()
    turns[hash] = Turn(running: ticket)
    return ticket
  }

  /// Whether a key may be removed from the levels now. This isn't allowed during a write, because
  /// the write may make the removal unnecessary.
  func isAtRest(_ hash: Int) -> Bool { turns[hash] == nil && !versions.isOpen(hash) }
}
