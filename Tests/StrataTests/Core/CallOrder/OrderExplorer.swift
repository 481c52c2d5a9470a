@testable import StrataCore

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
    if one.role == .clearing { return finish(&w, index) }
    let isWrite = one.role == .write && scope.fault != .leaveChangesNothing
    let next = w.order.leave(
      one.ticket, hash(one.key), isWrite: isWrite,
      in: one.role == .removal ? 0..<0 : 0..<scope.levels, one.key)
    if let next,
      let other = w.operations.first(where: { $0.value.ticket == next && $0.value.isParked })?.key
    {
      w.operations[other]?.isParked = false
      w.operations[other]?.isRunning = true
    }
    finish(&w, index)
    release(&w)
    if next == nil, one.role != .removal, let hash = hash(one.key) { repair(&w, hash) }
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
      if let hash = hash(one.key) { repair(&w, hash) }
    }
    if one.hasLeft, isOver, one.role != .write || one.hasEnded { w.operations[index] = nil }
  }

  /// Tells the order how a level has answered.
  func settle(_ w: inout World, _ index: Int, _ level: Int, isGood: Bool) {
    guard let one = w.operations[index] else { return }
    w.operations[index]?.status[level] = isGood ? .good : .failed
    switch one.role {
    case .fill:
      w.order.endWaiting(forFillOf: hash(one.key) ?? 0, in: level)
    case .clearing:
      if isGood {
        w.order.cleared(one.ticket, in: level)
      } else {
        w.order.failed(one.ticket, nil, in: level, isLate: false, nil)
      }
    case .removal: settleRemoval(&w, one, level, isGood: isGood)
    case .write: report(&w, one, level, isGood: isGood)
    }
    finish(&w, index)
    guard !isGood, one.role == .write else { return }
    if let hash = hash(one.key) { repair(&w, hash) } else { repairAll(&w, level) }
  }

  private func settleRemoval(
    _ w: inout World, _ one: World.Operation, _ level: Int, isGood: Bool
  ) {
    let hash = hash(one.key) ?? 0
    if isGood {
      let shown = w.order.owners(hash, in: level).map(one.owners.contains)
      w.order.succeeded(one.ticket, hash, in: level, shows: shown)
    } else {
      w.order.removalFailed(one.ticket, hash, in: level)
    }
  }

  private func report(_ w: inout World, _ one: World.Operation, _ level: Int, isGood: Bool) {
    guard let hash = hash(one.key) else {
      if isGood { return w.order.cleared(one.ticket, in: level) }
      return w.order.failed(one.ticket, nil, in: level, isLate: false, nil)
    }
    let owners = w.order.owners(hash, in: level)
    if isGood {
      let shown = owners.map { $0 == one.key || scope.fault == .hashShows }
      let ticket = scope.fault == .successShowsLater ? .max : one.ticket
      w.order.succeeded(ticket, hash, in: level, shows: shown)
    } else if scope.fault != .failureIsForgiven {
      let owner = owners.contains(one.key) ? nil : one.key
      w.order.failed(one.ticket, hash, in: level, isLate: false, owner)
    }
  }

  /// A level hasn't answered within its bound.
  func late(_ w: inout World, _ index: Int, _ level: Int) {
    guard let one = w.operations[index] else { return }
    w.operations[index]?.late.insert(level)
    switch one.role {
    case .write:
      w.lapsed.insert(one.id)
      guard scope.fault != .lateIsForgiven else { break }
      let known = hash(one.key).map { w.order.owners($0, in: level).contains(one.key) } ?? true
      w.order.failed(
        one.ticket, hash(one.key), in: level, isLate: true, known ? nil : one.key)
    case .removal: w.order.removalFailed(one.ticket, hash(one.key) ?? 0, in: level)
    case .clearing: w.order.failed(one.ticket, nil, in: level, isLate: false, nil)
    case .fill: break
    }
    finish(&w, index)
  }

  /// A parked write has exceeded its bound.
  func expire(_ w: inout World, _ index: Int) {
    guard let one = w.operations[index], let hash = hash(one.key) else { return }
    w.lapsed.insert(one.id)
    _ = w.order.expire(one.ticket, hash, in: 0..<scope.levels, one.key)
    if scope.fault == .expiredIsForgiven {
      for level in all { w.order.hidden[level, hash] = nil }
    }
    w.operations[index] = nil
    w.ended.insert(one.id)
    w.called.insert(one.id)
    release(&w)
    repair(&w, hash)
  }

  func repair(_ w: inout World, _ hash: Int) {
    guard let due = w.order.repair(hash) else { return }
    for (level, _) in due.levels {
      let isBusy = w.operations.values.contains {
        $0.role == .removal && self.hash($0.key) == hash && !$0.late.contains(level)
          && ($0.levels.contains(level) || $0.status[level] == .pending)
      }
      if isBusy { violation = "two removals of a key are in flight" }
    }
    let owners = Set(due.levels.flatMap(\.owners)).sorted()
    var one = World.Operation(role: .removal, key: owners.first ?? 0, ticket: due.ticket)
    (one.levels, one.owners) = (due.levels.map(\.level), owners)
    begin(&w, one)
    if scope.fault == .removalWithoutTurn {
      _ = w.order.leave(due.ticket, hash, isWrite: false, in: 0..<0, 0)
    }
  }

  func repairAll(_ w: inout World, _ level: Int) {
    guard scope.fault != .neverClears, let ticket = w.order.repairAll(level) else { return }
    begin(&w, World.Operation(role: .clearing, ticket: ticket, levels: [level]))
  }
}
