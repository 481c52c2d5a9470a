import StrataVerbs

/// Finds gets whose results don't follow from the results of the sum's levels.
@Sendable func violationsOfErrors(_ program: Program, _ seen: LawObservation) -> Violations {
  var violations = Violations()
  for (index, operation) in seen.operations.enumerated() where !operation.wasCancelled {
    guard case .get(let key) = operation.action else { continue }
    let lawful = lawfulAnswer(of: key, in: program.scripts)
    if operation.answer != lawful { violations.operation(index, "\(operation.step). \(lawful)") }
  }
  return violations
}

private func lawfulAnswer(of key: Int, in scripts: [LevelScript]) -> LawObservation.Answer {
  var worst: any Error = CacheError.notFound
  for (number, script) in scripts.enumerated() {
    let error: any Error
    switch script.getFaults[key] {
    case .silence: return .none
    case .cancellation: return .cancelled
    case .failure: error = ScriptError(level: number, key: key, isMiss: false)
    case .refusal: error = CacheError.conditionNotSatisfied
    case .miss: error = ScriptError(level: number, key: key, isMiss: true)
    case nil:
      if let value = script.contents[key] { return .value(value) }
      error = CacheError.notFound
    }
    if rank(error) >= rank(worst) { worst = error }
  }
  return .init(Promise<Int>.Outcome.failure(worst))
}

/// Finds cancelled gets that then call a level, or that don't cancel their running calls.
@Sendable func violationsOfCancellation(_ program: Program, _ seen: LawObservation) -> Violations {
  var violations = Violations()
  for (index, operation) in seen.operations.enumerated() where operation.wasCancelled {
    guard case .get(let key) = operation.action, let end = operation.settled else { continue }
    if operation.answer != .cancelled {
      violations.operation(index, "\(operation.step). cancelled")
    }
    for (level, history) in seen.histories.enumerated() {
      let ofKey = history.filter { $0.call == .get(key) || $0.call.writes(key) }
      if ofKey.contains(where: { $0.kind == .asked && $0.when >= end }) {
        violations.level(level, "no calls for \(key) after \(end)")
      }
      let asked = ofKey.contains { $0.kind == .asked && $0.call == .get(key) }
      if asked, !ofKey.contains(where: { $0.kind != .asked && $0.when <= end }) {
        violations.level(level, "cancel get \(key) at \(end)")
      }
    }
  }
  return violations
}

/// Finds writes that don't reach every level, and writes that report a wrong result, such as
/// success although a level failed.
@Sendable func violationsOfWrites(_ program: Program, _ seen: LawObservation) -> Violations {
  var violations = Violations()
  for (index, operation) in seen.operations.enumerated() {
    let faults: [LevelScript.Fault?]
    switch operation.action {
    case .set(let key, _), .remove(let key):
      faults = program.scripts.map { $0.writeFaults[key] }
    case .clear: faults = program.scripts.map(\.clearFault)
    default: continue
    }
    for (level, history) in seen.histories.enumerated() {
      let asked = history.filter { $0.kind == .asked && $0.call == operation.action }.count
      let wanted = seen.operations.filter { $0.action == operation.action }.count
      if asked < wanted { violations.level(level, "\(operation.action), \(wanted) times") }
    }
    let failed = faults.contains { $0 == .failure || $0 == .miss || $0 == .refusal }
    let isCancelled = !failed && faults.contains(.cancellation)
    let isRight =
      switch operation.answer {
      case .none: false
      case .cancelled: operation.wasCancelled || isCancelled
      case .done: !failed && !isCancelled
      default: failed
      }
    if !isRight {
      let lawful = failed ? "the uppermost failure" : isCancelled ? "cancelled" : "done"
      violations.operation(index, "\(operation.step). \(lawful)")
    }
  }
  return violations
}

/// Finds written keys whose values differ between levels. The levels must not inject faults. After
/// a `clear`, a level may lack a value that another has. An overlapping `set` can come before the
/// `clear` in one level, and after it in the other.
@Sendable func violationsOfDisagreement(_ program: Program, _ seen: LawObservation) -> Violations {
  var violations = Violations()
  let keys = Set(program.scripts.flatMap(\.contents.keys)).union(
    seen.operations.compactMap { if case .set(let key, _) = $0.action { key } else { nil } })
  let isCleared = seen.operations.contains { $0.action == .clear }
  for key in keys.sorted() where seen.operations.contains(where: { $0.action.writes(key) }) {
    let held = seen.rest.map { $0.contents[key] }
    let model = isCleared ? held.firstIndex { $0 != nil } ?? 0 : 0
    for (level, value) in held.enumerated()
    where value != held[model] && !(isCleared && value == nil) {
      let first = held[model].map { "\($0)" } ?? "nothing"
      violations.rest(level, "\(first) under \(key), like level \(model)")
    }
  }
  return violations
}
