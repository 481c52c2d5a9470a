import Synchronization

/// What a sum knows of the gets and writes under way through it, so that a later write wins.
///
/// A get notes the version before it asks the upper-most level, and enters its key's lane when it
/// has to look further down; a write moves the version when it begins and when it ends, and marks
/// the lane of its own key. A get that met a write of its key back-fills nothing. Lanes live only
/// as long as something of their hash is under way. Equal hashes share a lane, which may cost a
/// back-fill and never an answer.
@usableFromInline
struct Ledger {
  /// A get that looks below the upper-most level.
  @usableFromInline
  struct Entry: Sendable {
    @usableFromInline let hash: Int
    fileprivate let version: UInt
  }

  private struct Lane {
    let since: UInt
    var lastWrite: UInt = 0
    var gets = 0
    var writes = 0
  }

  private(set) var version: UInt = 0
  private var lanes = ByHash<Lane>()
  private var recent: [Int]  // The hashes of the last writes, so that other keys' cost nothing.
  private var lastClear: UInt = 0
  private var clears = 0
  private var turns: [Turns]
  private(set) var delayed = 0
  private var lastID = 0

  init(levels: Int) {
    turns = Array(repeating: Turns(), count: levels)
    recent = Array(repeating: 0, count: 64)
  }

  /// Enters a get that saw `version`; `nil` if a write of its key is under way or came since.
  mutating func enter(_ hash: Int, seen: UInt) -> Entry? {
    guard clears == 0, lastClear <= seen, version - seen <= UInt(recent.count) else { return nil }
    var lane = lanes[hash] ?? Lane(since: version)
    guard lane.writes == 0, !wasWritten(hash, since: seen) else { return nil }
    lane.gets += 1
    lanes[hash] = lane
    return Entry(hash: hash, version: version)
  }

  mutating func leave(_ entry: Entry) {
    guard var lane = lanes[entry.hash] else { return }
    lane.gets -= 1
    lanes[entry.hash] = lane.gets == 0 && lane.writes == 0 ? nil : lane
  }

  /// Whether no write of its key has begun since the get entered.
  func isValid(_ entry: Entry) -> Bool {
    guard let lane = lanes[entry.hash] else { return false }
    return lane.since <= entry.version && lane.lastWrite <= entry.version
      && lastClear <= entry.version
  }

  /// Begins a write of a key, or of all keys if `hash` is `nil`.
  mutating func beginWrite(_ hash: Int?) {
    moveVersion(hash)
    guard let hash else {
      clears += 1
      return
    }
    var lane = lanes[hash] ?? Lane(since: version)
    lane.lastWrite = version
    lane.writes += 1
    lanes[hash] = lane
  }

  /// Ends a write: a get that looked while it was on its way may have looked too early.
  mutating func endWrite(_ hash: Int?) {
    moveVersion(hash)
    guard let hash else {
      clears -= 1
      return
    }
    guard var lane = lanes[hash] else { return }
    lane.writes -= 1
    lanes[hash] = lane.gets == 0 && lane.writes == 0 ? nil : lane
  }

  private mutating func moveVersion(_ hash: Int?) {
    version += 1
    guard let hash else { return lastClear = version }
    recent[Int(version % UInt(recent.count))] = hash
  }

  private func wasWritten(_ hash: Int, since seen: UInt) -> Bool {
    guard seen < version else { return false }
    return (seen + 1...version).contains { recent[Int($0 % UInt(recent.count))] == hash }
  }
}

extension Ledger /* : the turns of each level */ {
  /// Takes the next turn at a level; `nil` if it has to wait, and comes out of `finish` then.
  mutating func take(
    level: Int, _ hash: Int?, _ work: (_ turn: Int) -> Turns.Work
  ) -> Turns.Work? {
    lastID += 1
    let (id, work) = (lastID, work(lastID))
    let mayBegin = counting(level) { turns in
      guard let hash else { return turns.takeOfAll(id, work) }
      return turns.take(id, of: hash, work)
    }
    return mayBegin ? work : nil
  }

  /// Takes a turn for a back-fill, that begins at once; `nil` if a write has overtaken the get, or
  /// another one of its key is under way.
  ///
  /// None beside another one: a write waits for one however many gets found the value, and a level
  /// that does not answer is given no more. Gets need not wait for a back-fill.
  mutating func takeBackFill(_ entry: Entry, level: Int) -> Int? {
    guard isValid(entry), !turns[level].isTaken(entry.hash) else { return nil }
    lastID += 1
    return turns[level].take(lastID, of: entry.hash, holdsGets: false) {} ? lastID : nil
  }

  mutating func finish(level: Int, _ turn: Int, _ hash: Int?) -> Turns.Next {
    counting(level) { $0.finish(turn, of: hash) }
  }

  /// Lets a get wait for a write that was called before it and is not given to the level yet.
  mutating func visit(level: Int, _ hash: Int, _ work: @escaping Turns.Work) -> Turns.Visit? {
    turns[level].visit(hash, onlyDelayed: true, work)
  }

  /// Lets a get leave that does not want to wait any more.
  mutating func leave(level: Int, _ visit: Turns.Visit) -> Turns.Work? {
    turns[level].leave(visit)
  }

  /// How many gets wait for a write.
  var waitingGets: Int { turns.reduce(0) { $0 + $1.visitors } }

  private mutating func counting<Result>(
    _ level: Int, _ body: (inout Turns) -> Result
  ) -> Result {
    let before = turns[level].delayed
    defer { delayed += turns[level].delayed - before }
    return body(&turns[level])
  }
}

/// A ledger under its lock, with what a hit needs of it in one atomic word.
@usableFromInline
final class SharedLedger: Sendable {
  /// The version, shifted by one; the lowest bit says that some write waits for its turn.
  @usableFromInline let word = Atomic<UInt>(0)
  private let ledger: Lock<Ledger>

  init(levels: Int) { ledger = Lock(Ledger(levels: levels)) }

  @usableFromInline
  func enter(_ hash: Int, seen: UInt) -> Ledger.Entry? { update { $0.enter(hash, seen: seen) } }

  /// A promise kept when the writes of a key that wait at a level have settled; `nil` without any.
  @usableFromInline
  func gate(level: Int, _ hash: Int) -> Promise<Void>? {
    let gate = Pending<Void>()
    let visit = update { $0.visit(level: level, hash) { gate.settle(.success(())) } }
    guard let visit else { return nil }
    gate.stop(at: 1) { [self] in _ = update { $0.leave(level: level, visit) } }
    return Promise(.pending(gate))
  }

  @usableFromInline
  func leave(_ entry: Ledger.Entry) { update { $0.leave(entry) } }

  @usableFromInline
  func takeBackFill(_ entry: Ledger.Entry, level: Int) -> Int? {
    update { $0.takeBackFill(entry, level: level) }
  }

  @usableFromInline
  func finish(level: Int, _ turn: Int, _ hash: Int?) -> Turns.Next {
    update { $0.finish(level: level, turn, hash) }
  }

  func update<Result>(_ body: (inout Ledger) -> Result) -> Result {
    ledger.withLock { ledger in
      defer {
        word.store(ledger.version << 1 | (ledger.delayed > 0 ? 1 : 0), ordering: .releasing)
      }
      return body(&ledger)
    }
  }
}
