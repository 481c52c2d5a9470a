/// Keeps writes in the order in which they were called, without holding a thread or a lock.
///
/// A write of a key takes its turn after the write of that key before it has settled; a write of
/// all keys comes after all before it and before all after it. A *visitor*, a get, takes no turn:
/// it only waits. Keys are told apart by their hash, computed by the caller: equal hashes share
/// their turns, which costs time and never an answer.
///
/// A plain value: the owner guards it with a lock, and calls what comes out after the lock. Its
/// size is bounded by what is under way.
@usableFromInline
struct Turns {
  typealias Work = @Sendable () -> Void

  private struct Turn {
    var predecessors = 0
    var isDelayed = false  // Had to wait, and gets wait for it.
    var work: Work?
    var followers: [Int] = []
    var visitors: [Int: Work] = [:]  // By number: the order in which they came.
  }

  /// A get that waits.
  struct Visit: Sendable {
    fileprivate let turn: Int
    fileprivate let number: Int
  }

  private var last = ByHash<Int>()  // The last turn of each hash that has one under way.
  private var lastOfAll: Int?
  private var turns: [Int: Turn] = [:]  // Those only that wait or are waited for.
  private var lastVisitor = 0

  /// How many turns that gets wait for had to wait themselves and have not finished.
  private(set) var delayed = 0

  /// How many gets wait.
  var visitors: Int { turns.values.reduce(0) { $0 + $1.visitors.count } }

  /// What may begin when a turn has ended.
  @usableFromInline
  struct Next {
    var visitors: [Work] = []
    var turns: [Work] = []

    /// Lets the gets go first: they were called before the writes.
    @usableFromInline
    func begin() {
      for visitor in visitors { visitor() }
      for turn in turns { Trampoline.run(turn) }
    }
  }

  /// How much is kept of what is under way.
  var kept: Int { last.count + turns.count + (lastOfAll == nil ? 0 : 1) }

  /// Whether a turn of a key is under way or waits.
  func isTaken(_ hash: Int) -> Bool { last[hash] != nil || lastOfAll != nil }

  /// Takes the next turn of a key; true if it may begin now, otherwise `work` comes out later.
  ///
  /// - Parameter holdsGets: Whether gets called after it wait for it; pass `false` only while no
  ///   turn of the key that holds them is under way.
  mutating func take(
    _ id: Int, of hash: Int, holdsGets: Bool = true, _ work: @escaping Work
  ) -> Bool {
    let before = last[hash] ?? lastOfAll
    last[hash] = id
    return enter(id, after: before.map { [$0] } ?? [], holdsGets: holdsGets, work)
  }

  /// Takes the next turn of all keys.
  mutating func takeOfAll(_ id: Int, _ work: @escaping Work) -> Bool {
    let before = Set(last.values).union(lastOfAll.map { [$0] } ?? [])
    last = ByHash()
    lastOfAll = id
    return enter(id, after: before, holdsGets: true, work)
  }

  /// Ends a turn, and gives out what may begin now.
  mutating func finish(_ id: Int, of hash: Int?) -> Next {
    if let hash, last[hash] == id { last[hash] = nil }
    if lastOfAll == id { lastOfAll = nil }
    guard !turns.isEmpty, let turn = turns.removeValue(forKey: id) else { return Next() }
    if turn.isDelayed { delayed -= 1 }
    return Next(
      visitors: turn.visitors.sorted { $0.key < $1.key }.map(\.value),
      turns: turn.followers.compactMap { leave($0) })
  }

  /// Lets a get wait until the last write of its key has settled; `nil` if there is none to wait
  /// for.
  ///
  /// - Parameter onlyDelayed: Whether a write that did not have to wait itself, and so was given to
  ///   the level already, is no reason to wait.
  mutating func visit(_ hash: Int, onlyDelayed: Bool, _ work: @escaping Work) -> Visit? {
    guard let id = last[hash] ?? lastOfAll else { return nil }
    if onlyDelayed, turns[id]?.isDelayed != true { return nil }
    lastVisitor += 1
    turns[id, default: Turn()].visitors[lastVisitor] = work
    return Visit(turn: id, number: lastVisitor)
  }

  /// Lets a get leave that does not want to wait any more; what it waited with is for the caller to
  /// release, outside the lock.
  mutating func leave(_ visit: Visit) -> Work? {
    turns[visit.turn]?.visitors.removeValue(forKey: visit.number)
  }

  private mutating func enter(
    _ id: Int, after before: Set<Int>, holdsGets: Bool, _ work: @escaping Work
  ) -> Bool {
    guard !before.isEmpty else { return true }
    for other in before { turns[other, default: Turn()].followers.append(id) }
    turns[id] = Turn(predecessors: before.count, isDelayed: holdsGets, work: work)
    if holdsGets { delayed += 1 }
    return false
  }

  private mutating func leave(_ id: Int) -> Work? {
    turns[id]?.predecessors -= 1
    guard turns[id]?.predecessors == 0 else { return nil }
    return turns[id]?.work.take()
  }
}
