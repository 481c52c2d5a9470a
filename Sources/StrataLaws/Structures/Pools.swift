import StrataVerbs

extension Laws {
  /// The laws of `pooled()`: concurrent gets of a key share one load.
  public static var pool: Laws { pool { $0.pooled() } }

  /// Returns laws that check your own implementation of `pooled()`.
  public static func pool(_ pool: @escaping Verb) -> Laws {
    let crowd = LawDomain().with {
      $0.levels = 1
      $0.keys = 0..<2
      $0.stored = 0..<2
      $0.clients = 3
    }
    let quiet = crowd.with {
      $0.injectsFaults = false
      $0.hasDistinctValues = true
    }
    let build: LawBuild = { pool($0[0]) }
    return Laws(
      "pool",
      [
        Law(
          "pool.idempotence", "a.pooled().pooled() == a.pooled()",
          "Pooling twice equals pooling once."
        ) {
          pool(pool($0[0] + $0[1]))
        } is: {
          pool($0[0] + $0[1])
        },
        Law(
          "pool.sequence", "a.pooled() == a, one operation at a time",
          "A pool has no effect if operations don't overlap.",
          in: LawDomain().with { $0.isSequential = true }, equality: .answers
        ) {
          pool($0[0] + $0[1])
        } is: {
          $0[0] + $0[1]
        },
        Law(
          "pool.writes", "write(a.pooled()) == write(a)", "A pool never merges writes or warnings."
        ) {
          pool($0[0].fetcher + $0[1])
        } _: {
          violationsOfMergedWrites($0, $1)
        },
        Law(
          "pool.oneLoad", "get || get: one load",
          "While a load of a key is in flight and not overtaken, no other load of the key begins.",
          in: crowd, of: build, violationsOfSecondLoads),
        Law(
          "pool.waiters", "cancel(get) || get: the second get succeeds",
          "Every waiting get that isn't cancelled receives the answer of a load.",
          in: crowd.with { $0.writes = false }, of: build, violationsOfWaiters),
        Law(
          "pool.lastWaiter", "cancel(every get) == cancel(load)",
          "When the last waiting get is cancelled, the load is cancelled too.",
          in: crowd.with { $0.writes = false }, of: build, violationsOfLoadsLeft),
        Law(
          "pool.detaching", "w; get == get after w",
          "A get after a write doesn't receive the answer of a load that began earlier.",
          in: quiet, of: build, violationsOfOlderValues),
        Law(
          "pool.memory", "w || get: get == w, above a memory level",
          "A hit in the memory below a pool isn't older than a write that was called before the get.",
          in: quiet.with { $0.cancels = false }, of: { pool(.memory() + $0[0]) },
          violationsOfUnseenWrites),
        Law(
          onThreads: "pool.detachingOnThreads", "w; get == get after w, on threads",
          "With each client on a separate thread, a get after a write returns no older value.",
          in: quiet, of: build, violationsOfOlderValues),
      ])
  }
}

/// Finds writes that a pool merged or dropped. The program repeats some writes. The last level of
/// the sum must receive each of them, the repeated ones as well.
@Sendable private func violationsOfMergedWrites(
  _ program: Program, _ seen: LawObservation
) -> Violations {
  var violations = Violations()
  let given = program.steps.map(\.action)
  let asked = seen.histories[1].filter { $0.kind == .asked }.map(\.call)
  for action in given where action.writes(0) || action.writes(1) || action.writes(2) {
    let count = given.filter { $0 == action }.count
    if asked.filter({ $0 == action }).count < count {
      violations.level(1, "\(action), \(count) times")
    }
  }
  return violations
}

/// Finds gets that didn't see an earlier write, although the write hadn't settled yet.
@Sendable private func violationsOfUnseenWrites(
  _ program: Program, _ seen: LawObservation
) -> Violations {
  var violations = Violations()
  let writes = Writes(program, seen, replaceAtOnce: true)
  for (index, operation) in seen.operations.enumerated() {
    guard case .get(let key) = operation.action else { continue }
    let lawful = writes.lawful(key, from: operation.began, to: operation.settled ?? .max)
    if !lawful.contains(operation.answer) {
      let text = lawful.map(\.description).joined(separator: " or ")
      violations.operation(index, "\(operation.step). get \(key): \(text)")
    }
  }
  return violations
}

/// Finds loads that began while an earlier load of the same key was in flight. Ignores an earlier
/// load if a write to the key began or settled during that load.
@Sendable private func violationsOfSecondLoads(
  _ program: Program, _ seen: LawObservation
) -> Violations {
  var violations = Violations()
  for key in 0..<2 {
    let writes = seen.operations.filter { $0.action.writes(key) }
    let moments = writes.flatMap { [$0.began, $0.settled ?? $0.began] }
    var running: [Int: Int] = [:]
    for event in seen.histories[0] where event.call == .get(key) {
      if event.kind == .asked {
        let current = running.values.filter { began in
          !moments.contains { $0 >= began && $0 <= event.when }
        }
        if !current.isEmpty {
          violations.level(0, "no second load of \(key) at \(event.when)")
        }
        running[event.number] = event.when
      } else {
        running[event.number] = nil
      }
    }
  }
  return violations
}

/// Finds gets that didn't receive the result of a load. Ignores gets that the program cancelled.
@Sendable private func violationsOfWaiters(
  _ program: Program, _ seen: LawObservation
) -> Violations {
  var violations = Violations()
  for (index, operation) in seen.operations.enumerated() where !operation.wasCancelled {
    guard case .get(let key) = operation.action else { continue }
    let fault = program.scripts[0].getFaults[key]
    if fault == .silence {
      if operation.settled != nil { violations.operation(index, "\(operation.step). no answer") }
      continue
    }
    let answered = seen.histories[0].contains {
      $0.kind == .answered && $0.call == operation.action && $0.when == operation.settled
    }
    let isRight = operation.answer != .none && (operation.answer != .cancelled || fault != nil)
    if !answered || !isRight {
      violations.operation(index, "\(operation.step). \(operation.action): the answer of a load")
    }
  }
  return violations
}

/// Finds loads that stayed in flight after their last waiting get was cancelled.
@Sendable private func violationsOfLoadsLeft(
  _ program: Program, _ seen: LawObservation
) -> Violations {
  var violations = Violations()
  for left in seen.operations where left.wasCancelled {
    guard case .get = left.action, let end = left.settled else { continue }
    let waits = seen.operations.contains { other in
      other.action == left.action && other.began <= end && (other.settled ?? .max) > end
    }
    let loads = seen.histories[0].filter { $0.call == left.action && $0.when <= end }
    let running =
      loads.filter { $0.kind == .asked }.count - loads.filter { $0.kind != .asked }.count
    if !waits, running > 0 { violations.level(0, "cancel \(left.action) at \(end)") }
  }
  return violations
}
