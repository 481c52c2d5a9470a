@testable import StrataCore
@testable import StrataVerbs

/// One situation: the order, the operations and gets in flight, and the levels.
///
/// The levels keep the contract of a level and nothing more. An asynchronous level has a queue for
/// each key. It applies a write when the write is the first write of its queue, and answers a read
/// at any time after the writes before it.
struct OrderWorld {
  enum Status: Int { case uncalled, pending, good, failed }

  enum Role: Int { case write, fill, removal, clearing }

  struct Operation {
    var id = 0
    var role = Role.write
    /// The key, or -1 for all keys.
    var key = -1
    var value = 0
    var ticket: UInt64 = 0
    /// The levels that are still to be called, the next one last.
    var levels: [Int] = []
    var status: [Status] = []
    var late: Set<Int> = []
    var hiddenKeys: [Int] = []
    /// The answers of levels that are on their way.
    var reports: [Int: Bool] = [:]
    var isParked = false
    var isRunning = false
    var isDetached = false
    var hasEnded = false
    var isBlocked = false
    var hasLeft = false
  }

  struct Get {
    enum Phase: Int { case waits, calls, reads, fills, joins }

    var client = 0
    var key = 0
    var level = 0
    var value = 0
    var since: UInt64 = 0
    /// The version at which the get began, for a pool.
    var begun: UInt64 = 0
    /// The write for which the get waits.
    var behind: UInt64 = 0
    var phase = Phase.waits
    /// The get whose load this one has joined.
    var leader = -1
    var isWatching = false
    var mayFill = true
    /// The writes that had ended, and that had been called, when the get began.
    var ended: Set<Int> = []
    var called: Set<Int> = []
  }

  struct Entry: Equatable {
    let isRead: Bool
    let index: Int
  }

  struct Level {
    var values: [Int]
    var queues: [[Entry]]
  }

  var order: CallOrder
  var operations: [Int: Operation] = [:]
  var gets: [Int: Get] = [:]
  var levels: [Level]
  /// The next step of each client.
  var next: [Int]
  /// The get that a client awaits.
  var open: [Int: Int] = [:]
  /// By write, its ticket.
  var ranks: [UInt64]
  var ended: Set<Int> = []
  var called: Set<Int> = []
  /// In scopes that keep values, the writes that levels have settled, as pairs of write and level.
  var settled: Set<Int> = []
  /// The writes that failed or were late.
  var lapsed: Set<Int> = []
  var (failures, lates, blocks): (Int, Int, Int)

  init(_ scope: OrderScope) {
    order = CallOrder(
      levels: scope.levels, remembering: scope.changes, capacity: scope.capacity)
    let level = Level(
      values: Array(repeating: 1, count: scope.keys),
      queues: Array(repeating: [], count: scope.keys))
    levels = Array(repeating: level, count: scope.levels)
    next = Array(repeating: 0, count: scope.program.count)
    ranks = Array(repeating: 0, count: scope.keyOfWrite.count)
    (failures, lates, blocks) = (scope.failures, scope.lates, scope.blocks)
  }

  /// The situation as numbers. Tickets are replaced by their ranks, so equal situations have equal
  /// numbers.
  var signature: [UInt16] {
    // Visiting all states takes most of its time here, so tickets below 64 are bits, and there are
    // loops in place of closures.
    var (small, large): (UInt64, Set<UInt64>) = (1, [])
    var (numbers, isTicket) = ([UInt64](), [Bool]())
    func add(_ number: Int) {
      numbers.append(UInt64(truncatingIfNeeded: number + 2))
      isTicket.append(false)
    }
    func add(ticket: UInt64) {
      numbers.append(ticket)
      isTicket.append(true)
      if ticket < 64 { small |= 1 << ticket } else { large.insert(ticket) }
    }
    func add(_ set: Set<Int>) {
      var bits = 0
      if !set.isEmpty { for number in set { bits |= 1 << number } }
      add(bits)
    }
    func add(_ flags: Bool...) {
      var bits = 0
      for flag in flags { bits = bits << 1 | (flag ? 1 : 0) }
      add(bits)
    }
    describe(order, add: { add($0) }, ticket: { add(ticket: $0) })
    for (index, one) in operations.sorted(by: { $0.key < $1.key }) {
      for number in [-1, index, one.id, one.role.rawValue, one.key, one.value] { add(number) }
      add(ticket: one.ticket)
      add(one.levels.reduce(1) { $0 << 2 | $1 })
      add(one.status.reduce(0) { $0 << 2 | $1.rawValue })
      add(one.late)
      for hiddenKey in one.hiddenKeys { add(hiddenKey) }
      for (level, isGood) in one.reports.sorted(by: { $0.key < $1.key }) {
        add(8 + level * 2 + (isGood ? 1 : 0))
      }
      add(one.isParked, one.isRunning, one.isDetached, one.hasEnded, one.isBlocked, one.hasLeft)
    }
    for (index, get) in gets.sorted(by: { $0.key < $1.key }) {
      for number in [-2, index, get.client, get.key, get.level, get.value, get.leader] {
        add(number)
      }
      for ticket in [get.since, get.behind, get.begun] { add(ticket: ticket) }
      add(get.phase.rawValue)
      add(get.isWatching, get.mayFill)
      add(get.ended)
      add(get.called)
    }
    for level in levels {
      for value in level.values { add(value) }
      for queue in level.queues {
        for entry in queue { add((entry.isRead ? 64 : 32) + entry.index) }
        add(-1)
      }
    }
    for number in next { add(number) }
    for (client, get) in open.sorted(by: { $0.key < $1.key }) { add(client * 8 + get) }
    for ticket in ranks { add(ticket: ticket) }
    for set in [ended, called, lapsed, settled] { add(set) }
    for number in [failures, lates, blocks] { add(number) }
    func rank(_ ticket: UInt64) -> Int {
      ticket < 64
        ? (small & (1 << ticket - 1)).nonzeroBitCount
        : small.nonzeroBitCount + large.count { $0 < ticket }
    }
    var (result, index) = ([UInt16](), 0)
    result.reserveCapacity(numbers.count)
    while index < numbers.count {
      let number = numbers[index]
      result.append(
        isTicket[index] ? UInt16(rank(number)) : UInt16(truncatingIfNeeded: number))
      index += 1
    }
    return result
  }

  private func describe(
    _ order: CallOrder, add: (Int) -> Void, ticket: (UInt64) -> Void
  ) {
    let versions = order.versions
    ticket(versions.now)
    ticket(versions.lastClear)
    ticket(order.lastClear)
    order.clears.forEach(ticket)
    add(versions.openClears)
    var last: [Int: UInt64] = [:]
    for distance in 0..<min(UInt64(versions.recent.count), versions.now) {
      let version = versions.now - distance
      let hash = versions.recent[Int(version) & (versions.recent.count - 1)]
      last[hash] = last[hash] ?? version
    }
    for (hash, version) in last.sorted(by: { $0.key < $1.key }) where hash != 0 {
      add(hash)
      ticket(version)
    }
    for hash in versions.keys.hashes.sorted() {
      guard let key = versions.keys[hash] else { continue }
      add(hash)
      ticket(key.last)
      add(key.open * 8 + key.watchers)
    }
    add(order.detached * 8 + order.outrun)
    for hash in order.turns.hashes.sorted() {
      guard let turn = order.turns[hash] else { continue }
      add(hash * 2 + (turn.isDetached ? 1 : 0))
      ticket(turn.running)
      turn.parked.forEach(ticket)
    }
    for fill in order.fills.map({ $0.hash * 8 + $0.level }).sorted() { add(fill) }
    for (level, keys) in order.hidden.sorted(by: { $0.key < $1.key }) {
      add(level)
      for (hash, key) in keys.sorted(by: { $0.key ?? -1 < $1.key ?? -1 }) {
        add(hash ?? -1)
        ticket(key.lastWrite)
        ticket(key.repair ?? 0)
        add((key.needsRemoval ? 1 : 0) + (key.isAbsent ? 2 : 0))
        for hiddenKey in key.keys { add(OrderKey.number(hiddenKey)) }
      }
    }
  }
}

/// A key as `CallOrder` knows it.
final class OrderKey: Sendable {
  static let all = (0..<4).map(OrderKey.init)

  let number: Int

  private init(_ number: Int) { self.number = number }

  static func number(_ hiddenKey: CallOrder.HiddenKey) -> Int {
    (hiddenKey as? OrderKey)?.number ?? -1
  }
}

extension CallOrder {
  /// Whether a get must skip a level, and whether the key counts as absent there.
  func isHidden(_ hash: Int, in level: Int) -> Bool? { skip(hash, in: level)?.isAbsent }
}
