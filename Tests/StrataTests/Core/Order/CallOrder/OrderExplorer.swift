@testable import StrataCore
@testable import StrataVerbs

/// Visits every state of a scope, and checks the laws of a sum in each of them.
///
/// - No get returns a value older than a write that had ended when the get began, or that had been
///   called and didn't fail.
/// - Nothing waits forever.
/// - At rest, no state is left, and no two visible levels hold different values.
/// - At most one removal of a key, and one back-fill of a key, is in flight in a level.
final class OrderExplorer {
  typealias World = OrderWorld

  let scope: OrderScope
  var violation: String?
  private(set) var states = 0

  init(_ scope: OrderScope) { self.scope = scope }

  /// Visits the states. Stops at the first violation.
  @discardableResult
  func run(limit: Int = 5_000_000) -> OrderExplorer {
    let first = World(scope)
    var (seen, open) = (Set([first.signature]), [first])
    while let world = open.popLast(), violation == nil, seen.count < limit {
      let steps = successors(world)
      if steps.isEmpty { checkAtRest(world) }
      for step in steps where seen.insert(step.signature).inserted { open.append(step) }
    }
    states = seen.count
    return self
  }

  func hash(_ key: Int) -> Int? { key < 0 ? nil : scope.sameHash ? 7 : key + 7 }
  var all: [Int] { Array(0..<scope.levels) }

  private func free(_ indices: some Collection<Int>) -> Int {
    (0...).first { !indices.contains($0) } ?? 0
  }

  // MARK: The driver, as in the sum

  @discardableResult
  func begin(_ w: inout World, _ operation: World.Operation) -> Int {
    var one = operation
    let index = free(w.operations.keys)
    if one.levels.isEmpty { one.levels = all }
    one.status = Array(repeating: .uncalled, count: scope.levels)
    if one.role == .write {
      let begun =
        one.key < 0 && scope.fault == .clearOutrunsNothing
        ? (ticket: w.order.versions.begin(nil), mayCall: true) : w.order.begin(hash(one.key))
      one.ticket = begun.ticket
      w.ranks[one.id] = one.ticket
      (one.isRunning, one.isParked, one.isDetached) =
        (begun.mayCall, !begun.mayCall, !begun.mayCall)
    } else {
      one.isRunning = true
    }
    w.operations[index] = one
    return index
  }

  func leave(_ w: inout World, _ index: Int) {
    guard var one = w.operations[index] else { return }
    (one.isRunning, one.hasLeft) = (false, true)
    if one.role == .write { w.called.insert(one.id) }
    w.operations[index] = one
    let role: CallOrder.Role =
      switch one.role {
      case .write: scope.fault == .leaveChangesNothing ? .fill : .write
      case .fill: .fill
      case .removal, .clearing: .repair
      }
    if leavesQuietly(w, one), scope.fault != .leaveChangesNothing {
      w.order.leaveQuietly(hash(one.key), role)
      if role == .write { w.ended.insert(one.id) }
      return w.operations[index] = nil
    }
    let next = w.order.leave(
      one.ticket, hash(one.key), role, role == .repair ? nil : OrderKey.all[max(one.key, 0)])
    if let next,
      let other = w.operations.first(where: { $0.value.ticket == next && $0.value.isParked })?.key
    {
      w.operations[other]?.isParked = false
      w.operations[other]?.isRunning = true
    }
    finish(&w, index)
    release(&w)
    if next == nil, role != .repair { repair(&w, hash(one.key)) }
  }

  /// Whether every level has succeeded with an operation, nobody waits, and no key is hidden.
  private func leavesQuietly(_ w: World, _ one: World.Operation) -> Bool {
    (one.role == .write || one.role == .fill) && one.late.isEmpty && !one.hasEnded
      && all.allSatisfy {
        one.status[$0] == .good || one.role == .fill && one.status[$0] == .uncalled
      }
      && w.order.isQuiet && !w.gets.values.contains { $0.phase == .waits }
  }

  /// Ends a write when every level has settled it or is late, and forgets what is over.
  private func finish(_ w: inout World, _ index: Int) {
    guard var one = w.operations[index] else { return }
    let relevant = all.filter { one.status[$0] != .uncalled || one.levels.contains($0) }
    let isOver = relevant.allSatisfy { one.status[$0] == .good || one.status[$0] == .failed }
    if one.role == .write, !one.hasEnded, one.hasLeft || one.isDetached,
      relevant.allSatisfy({
        one.status[$0] == .good || one.status[$0] == .failed || one.late.contains($0)
      }), one.hasLeft || !one.late.isEmpty
    {
      one.hasEnded = true
      w.operations[index] = one
      w.order.end(one.ticket, hash(one.key))
      w.ended.insert(one.id)
      w.called.insert(one.id)
      release(&w)
      repair(&w, hash(one.key))
    }
    if one.hasLeft, isOver, one.role != .write || one.hasEnded { w.operations[index] = nil }
  }

  /// Tells the order how a level has answered.
  func settle(_ w: inout World, _ index: Int, _ level: Int, isGood: Bool) {
    guard let one = w.operations[index] else { return }
    w.operations[index]?.status[level] = isGood ? .good : .failed
    if isGood, one.role == .write, scope.keeps {
      w.settled.insert(one.id * scope.levels + level)
    }
    if one.role == .fill {
      w.order.endWaiting(forFillOf: hash(one.key) ?? 0, in: level)
    } else if one.late.contains(level), w.order.hidden[level]?[hash(one.key)] == nil {
      // A later success has shown the key.
    } else if isGood || one.role != .write || scope.fault != .failureIsForgiven {
      answer(&w, one, isGood ? .success : .failure(isRefusal: false), level)
    }
    finish(&w, index)
    if !isGood, one.role == .write { repair(&w, hash(one.key)) }
  }

  /// A level hasn't answered within its bound.
  func late(_ w: inout World, _ index: Int, _ level: Int) {
    guard let one = w.operations[index] else { return }
    w.operations[index]?.late.insert(level)
    if one.role == .write { w.lapsed.insert(one.id) }
    if one.role != .write || scope.fault != .lateIsForgiven { answer(&w, one, .late, level) }
    finish(&w, index)
  }

  private func answer(
    _ w: inout World, _ one: World.Operation, _ answer: CallOrder.Verdict, _ level: Int
  ) {
    var (hiddenKeys, ticket) = ([CallOrder.HiddenKey](), one.ticket)
    if one.role == .removal {
      if answer.isSuccess { hiddenKeys = one.hiddenKeys.map { OrderKey.all[$0] } }
    } else if let hash = hash(one.key) {
      let equal = w.order.hiddenKeys(hash, in: level).filter {
        OrderKey.number($0) == one.key || answer.isSuccess && scope.fault == .hashShows
      }
      hiddenKeys = equal.isEmpty && !answer.isSuccess ? [OrderKey.all[one.key]] : equal
      if answer.isSuccess, scope.fault == .successShowsLater { ticket = .max }
    }
    w.order.answered(answer, ticket, hash(one.key), in: level, hiddenKeys)
  }

  /// A parked write has exceeded its bound.
  func expire(_ w: inout World, _ index: Int) {
    guard let one = w.operations[index], let hash = hash(one.key) else { return }
    w.lapsed.insert(one.id)
    let keys = Array(repeating: OrderKey.all[one.key], count: scope.levels)
    _ = w.order.expire(one.ticket, hash, keys)
    if scope.fault == .expiredIsForgiven {
      w.order.hidden = [:]
    }
    w.operations[index] = nil
    w.ended.insert(one.id)
    w.called.insert(one.id)
    release(&w)
    repair(&w, hash)
  }

  func repair(_ w: inout World, _ hash: Int?) {
    guard hash != nil || scope.fault != .neverClears, let due = w.order.repair(hash) else { return }
    for (level, _) in due.levels {
      let isBusy = w.operations.values.contains {
        ($0.role == .removal || $0.role == .clearing) && self.hash($0.key) == hash
          && !$0.late.contains(level) && ($0.levels.contains(level) || $0.status[level] == .pending)
      }
      // An overflow also forgets which keys are being removed.
      if isBusy, scope.capacity > scope.keys {
        violation = "two removals of a key are in flight"
      }
    }
    let hiddenKeys = Set(due.levels.flatMap(\.keys).map(OrderKey.number)).sorted()
    var one = World.Operation(role: hash == nil ? .clearing : .removal, ticket: due.ticket)
    if hash != nil { one.key = hiddenKeys.first ?? 0 }
    (one.levels, one.hiddenKeys) = (due.levels.map(\.level), hiddenKeys)
    begin(&w, one)
    if scope.fault == .removalWithoutTurn { _ = w.order.leave(due.ticket, hash, .repair, nil) }
  }
}
