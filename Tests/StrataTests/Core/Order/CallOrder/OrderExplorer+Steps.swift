@testable import StrataCore
@testable import StrataVerbs

/// All steps that can happen next in a situation.
extension OrderExplorer {
  func successors(_ w: World) -> [World] {
    var (steps, hasProgress) = ([World](), false)
    func add(isProgress: Bool = true, _ change: (inout World) -> Void) {
      var copy = w
      change(&copy)
      copy.order.dropped = []
      steps.append(copy)
      if isProgress { hasProgress = true }
    }
    addClients(w, add)
    addCalls(w, add)
    addLevels(w, add)
    for (index, one) in w.operations {
      for (level, isGood) in one.reports {
        add(isProgress: true) {
          $0.operations[index]?.reports[level] = nil
          settle(&$0, index, level, isGood: isGood)
        }
      }
    }
    for (index, get) in w.gets {
      if get.phase == .calls { add(isProgress: true) { call(&$0, index) } }
      if get.phase == .fills { add(isProgress: true) { fill(&$0, index) } }
    }
    for level in scope.evicts {
      for key in 0..<scope.keys where w.levels[level].values[key] != 0 {
        add(isProgress: false) { $0.levels[level].values[key] = 0 }
      }
    }
    let timers = timers(w)
    if w.lates > 0 {
      for timer in timers {
        add(isProgress: false) {
          $0.lates -= 1
          timer(&$0)
        }
      }
    }
    if !hasProgress { for timer in timers { add(isProgress: false, timer) } }
    return steps
  }

  private typealias Add = (_ isProgress: Bool, _ change: (inout World) -> Void) -> Void

  /// The steps of the clients.
  private func addClients(_ w: World, _ add: Add) {
    for (client, steps) in scope.program.enumerated() where w.next[client] < steps.count {
      if w.next[client] > 0 {
        let last = steps[w.next[client] - 1]
        let isWaiting =
          last.kind == .get
          ? last.awaits && w.open[client] != nil
          : last.awaits ? !w.ended.contains(last.id) : !w.called.contains(last.id)
        if isWaiting { continue }
      }
      let step = steps[w.next[client]]
      add(true) {
        $0.next[client] += 1
        guard step.kind != .get else { return beginGet(&$0, client, step.key) }
        let value = step.kind == .set ? step.id : 0
        let index = begin(&$0, World.Operation(id: step.id, key: step.key, value: value))
        if $0.operations[index]?.isParked == true { $0.called.insert(step.id) }
      }
    }
  }

  /// The calls of levels by running operations.
  private func addCalls(_ w: World, _ add: Add) {
    for (index, one) in w.operations where one.isRunning && !one.isBlocked {
      guard let level = one.levels.last else {
        add(true) { leave(&$0, index) }
        continue
      }
      if w.blocks > 0, one.role == .write {
        add(false) {
          $0.blocks -= 1
          $0.operations[index]?.isBlocked = true
        }
      }
      guard scope.sync.contains(level) else {
        add(true) {
          $0.operations[index]?.levels.removeLast()
          $0.operations[index]?.status[level] = .pending
          if one.role == .fill { $0.order.beginWaiting(forFillOf: hash(one.key) ?? 0, in: level) }
          for key in 0..<scope.keys where touches(one, key) {
            $0.levels[level].queues[key].append(World.Entry(isRead: false, index: index))
          }
        }
        continue
      }
      for outcome in 0..<(w.failures > 0 ? 3 : 1) {
        add(outcome == 0) {
          $0.operations[index]?.levels.removeLast()
          if outcome != 1 {
            for key in 0..<scope.keys where touches(one, key) {
              $0.levels[level].values[key] = effect(one)
            }
          }
          if outcome > 0 { fail(&$0, one) }
          settle(&$0, index, level, isGood: outcome == 0)
        }
      }
    }
  }

  /// What asynchronous levels do. An outcome of 1 is a failure without effect, and 2 with effect.
  private func addLevels(_ w: World, _ add: Add) {
    for level in all {
      for key in 0..<scope.keys {
        let queue = w.levels[level].queues[key]
        for (place, entry) in queue.enumerated()
        where !queue[..<place].contains(where: { !$0.isRead }) {
          if entry.isRead {
            add(true) {
              $0.levels[level].queues[key].remove(at: place)
              answered(&$0, entry.index, $0.levels[level].values[key])
            }
            continue
          }
          guard let one = w.operations[entry.index] else { continue }
          // A clear is applied key by key, and its last part settles it.
          let isLast = w.levels[level].queues.filter { $0.contains(entry) }.count == 1
          for outcome in 0..<(w.failures > 0 ? 3 : 1) where outcome == 0 || isLast {
            add(outcome == 0) {
              $0.levels[level].queues[key].remove(at: place)
              if outcome != 1 { $0.levels[level].values[key] = effect(one) }
              if outcome > 0 { fail(&$0, one) }
              guard isLast else { return }
              if scope.delays {
                $0.operations[entry.index]?.reports[level] = outcome == 0
              } else {
                settle(&$0, entry.index, level, isGood: outcome == 0)
              }
            }
          }
        }
      }
    }
  }

  private func fail(_ w: inout World, _ one: World.Operation) {
    w.failures -= 1
    if one.role == .write { w.lapsed.insert(one.id) }
  }

  private func effect(_ one: World.Operation) -> Int {
    (one.role == .write || one.role == .fill) && one.key >= 0 ? one.value : 0
  }

  private func touches(_ one: World.Operation, _ key: Int) -> Bool {
    one.key < 0 || (one.role == .removal ? one.hiddenKeys.contains(key) : one.key == key)
  }

  /// The timers that may fire: of parked writes, and of calls that haven't settled.
  private func timers(_ w: World) -> [(inout World) -> Void] {
    var steps: [(inout World) -> Void] = []
    for (index, one) in w.operations where one.role != .fill {
      if one.isParked {
        steps.append { self.expire(&$0, index) }
        continue
      }
      for level in all where !one.late.contains(level) {
        let isOpen =
          one.status[level] == .pending
          || one.status[level] == .uncalled && one.levels.contains(level)
        if isOpen, one.hasLeft || one.isDetached { steps.append { self.late(&$0, index, level) } }
      }
    }
    return steps
  }

  func checkAtRest(_ w: World) {
    let isBlocked = w.operations.values.contains(where: \.isBlocked)
    if !w.gets.isEmpty { return violation = "a get waits forever" }
    for one in w.operations.values where !one.isBlocked && !(isBlocked && one.role == .removal) {
      return violation = "an operation stays: \(one)"
    }
    guard !isBlocked else { return }
    let order = w.order
    let counts = [
      order.turns.count, order.detached, order.outrun, order.versions.keys.count,
      order.versions.openClears, order.fills.count,
    ]
    if counts.contains(where: { $0 != 0 }) {
      return violation = "state is left behind: \(order)"
    }
    let hashes = (0..<scope.keys).compactMap(hash)
    let isHidden = hashes.contains { key in all.contains { order.isHidden(key, in: $0) != nil } }
    if !isHidden, !order.isQuiet { return violation = "gets must ask although nothing is hidden" }
    for key in 0..<scope.keys {
      let writes = (2..<scope.keyOfWrite.count).filter {
        w.ranks[$0] > 0 && (scope.keyOfWrite[$0] < 0 || scope.keyOfWrite[$0] == key)
      }
      let last = writes.max { w.ranks[$0] < w.ranks[$1] } ?? 1
      for level in all where order.isHidden(hash(key) ?? 0, in: level) == nil {
        let value = w.levels[level].values[key]
        if value != 0, value != last {
          return violation = "at rest, level \(level) holds \(value), not \(last)"
        }
        let isStored = w.settled.contains(last * scope.levels + level)
        if isStored, !scope.evicts.contains(level), value != effect(of: last) {
          return violation = "level \(level) has lost \(last)"
        }
      }
      checkRepair(w, key)
    }
  }

  private func effect(of write: Int) -> Int {
    scope.program.joined().contains { $0.id == write && $0.kind == .set } ? write : 0
  }

  /// At rest, a get of a hidden key must be able to begin the removal.
  private func checkRepair(_ w: World, _ key: Int) {
    var order = w.order
    let hidden = all.filter { order.isHidden(hash(key) ?? 0, in: $0) != nil }
    guard !hidden.isEmpty else { return }
    let hasAll = hidden.contains { order.hidden[$0]?[nil] != nil }
    if hasAll, scope.fault == .neverClears || !repairs(&order, nil) {
      return violation = "a level is hidden, and nothing clears it"
    }
    if !hasAll, !repairs(&order, hash(key)) {
      violation = "key \(key) is hidden, and nothing repairs it"
    }
  }

  /// Whether a removal begins, and shows what it has removed.
  private func repairs(_ order: inout CallOrder, _ hash: Int?) -> Bool {
    guard let due = order.repair(hash) else { return false }
    for (level, hiddenKeys) in due.levels {
      order.answered(.success, due.ticket, hash, in: level, hiddenKeys)
    }
    return due.levels.allSatisfy { order.hidden[$0.level]?[hash] == nil }
  }
}
