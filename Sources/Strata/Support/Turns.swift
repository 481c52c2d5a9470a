/// Keeps writes in the order in which they were called, without holding a thread or a lock.
///
/// A write of a key takes its turn after the write of that key before it has settled; a write of all
/// keys comes after all before it and before all after it. A *visitor*, a get, takes no turn: it
/// only waits. Keys are told apart by their hash, computed by the caller: equal hashes share their
/// turns, which costs time and never an answer.
///
/// A plain value: the owner guards it with a lock, and calls what comes out after the lock. Its size
/// is bounded by what is under way.
struct Turns {
  typealias Work = @Sendable () -> Void

  private struct Turn {
    var predecessors = 0
    var hasWaited = false
    var work: Work?
    var followers: [Int] = []
    var visitors: [Work] = []
  }

  private var last: [Int: Int] = [:]  // The last turn of each hash that has one under way.
  private var lastOfAll: Int?
  private var turns: [Int: Turn] = [:]  // Those only that wait or are waited for.

  /// How many turns had to wait and have not finished.
  private(set) var delayed = 0

  /// Takes the next turn of a key; true if it may begin now, otherwise `work` comes out later.
  mutating func take(_ id: Int, of hash: Int, _ work: @escaping Work) -> Bool {
    let before = last[hash] ?? lastOfAll
    last[hash] = id
    return enter(id, after: before.map { [$0] } ?? [], work)
  }

  /// Takes the next turn of all keys.
  mutating func takeOfAll(_ id: Int, _ work: @escaping Work) -> Bool {
    let before = Set(last.values).union(lastOfAll.map { [$0] } ?? [])
    last = [:]
    lastOfAll = id
    return enter(id, after: before, work)
  }

  /// Ends a turn, and gives out what may begin now.
  mutating func finish(_ id: Int, of hash: Int?) -> [Work] {
    if let hash, last[hash] == id { last[hash] = nil }
    if lastOfAll == id { lastOfAll = nil }
    guard let turn = turns.removeValue(forKey: id) else { return [] }
    if turn.hasWaited { delayed -= 1 }
    return turn.visitors + turn.followers.compactMap { leave($0) }
  }

  /// Lets a get wait until the last write of its key has settled; false if there is none to wait for.
  ///
  /// - Parameter onlyDelayed: Whether a write that did not have to wait itself, and so was given to
  ///   the level already, is no reason to wait.
  mutating func visit(_ hash: Int, onlyDelayed: Bool, _ work: @escaping Work) -> Bool {
    guard let id = last[hash] ?? lastOfAll else { return false }
    if onlyDelayed, turns[id]?.hasWaited != true { return false }
    turns[id, default: Turn()].visitors.append(work)
    return true
  }

  private mutating func enter(_ id: Int, after before: Set<Int>, _ work: @escaping Work) -> Bool {
    guard !before.isEmpty else { return true }
    for other in before { turns[other, default: Turn()].followers.append(id) }
    turns[id] = Turn(predecessors: before.count, hasWaited: true, work: work)
    delayed += 1
    return false
  }

  private mutating func leave(_ id: Int) -> Work? {
    turns[id]?.predecessors -= 1
    guard turns[id]?.predecessors == 0 else { return nil }
    return turns[id]?.work.take()
  }
}
