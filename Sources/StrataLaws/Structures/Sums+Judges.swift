import Strata

/// What a get goes through, level by level, must be what it answers.
@Sendable func complaintsOfErrors(_ program: Program, _ seen: Observation) -> Complaints {
  var complaints = Complaints()
  for (place, operation) in seen.operations.enumerated() where !operation.wasCancelled {
    guard case .get(let key) = operation.action else { continue }
    let lawful = lawfulAnswer(of: key, in: program.scripts)
    if operation.answer != lawful { complaints.operation(place, "\(operation.step). \(lawful)") }
  }
  return complaints
}

private func lawfulAnswer(of key: Int, in scripts: [LevelScript]) -> Observation.Answer {
  var worst: any Error = CacheError.notFound
  for (number, script) in scripts.enumerated() {
    let error: any Error
    switch script.troubledGets[key] {
    case .silence: return .none
    case .cancellation: return .cancelled
    case .failure: error = ScriptError(level: number, key: key, isMiss: false)
    case .miss: error = ScriptError(level: number, key: key, isMiss: true)
    case nil:
      if let value = script.contents[key] { return .value(value) }
      error = CacheError.notFound
    }
    if rank(error) >= rank(worst) { worst = error }
  }
  return .init(Promise<Int>.Outcome.failure(worst))
}

/// A get that was cancelled may leave nothing behind but the end of what it had begun.
@Sendable func complaintsOfCancellation(_ program: Program, _ seen: Observation) -> Complaints {
  var complaints = Complaints()
  for (place, operation) in seen.operations.enumerated() where operation.wasCancelled {
    guard case .get(let key) = operation.action, let end = operation.settled else { continue }
    if operation.answer != .cancelled {
      complaints.operation(place, "\(operation.step). cancelled")
    }
    for (level, history) in seen.histories.enumerated() {
      let ofKey = history.filter { $0.call == .get(key) || $0.call.writes(key) }
      if ofKey.contains(where: { $0.kind == .asked && $0.when >= end }) {
        complaints.level(level, "nothing of \(key) asked from \(end) on")
      }
      let asked = ofKey.contains { $0.kind == .asked && $0.call == .get(key) }
      if asked, !ofKey.contains(where: { $0.kind != .asked && $0.when <= end }) {
        complaints.level(level, "cancel get \(key) at \(end)")
      }
    }
  }
  return complaints
}

/// Every level must be given every write, and the upper-most failure must be told.
@Sendable func complaintsOfWrites(_ program: Program, _ seen: Observation) -> Complaints {
  var complaints = Complaints()
  for (place, operation) in seen.operations.enumerated() {
    let troubles: [LevelScript.Trouble?]
    switch operation.action {
    case .set(let key, _), .remove(let key):
      troubles = program.scripts.map { $0.troubledWrites[key] }
    case .clear: troubles = program.scripts.map(\.troubledClear)
    default: continue
    }
    for (level, history) in seen.histories.enumerated() {
      let asked = history.filter { $0.kind == .asked && $0.call == operation.action }.count
      let wanted = seen.operations.filter { $0.action == operation.action }.count
      if asked < wanted { complaints.level(level, "\(operation.action), \(wanted) times") }
    }
    let failed = troubles.contains { $0 == .failure || $0 == .miss }
    let isCancelled = !failed && troubles.contains(.cancellation)
    let isRight =
      switch operation.answer {
      case .none: false
      case .cancelled: operation.wasCancelled || isCancelled
      case .done: !failed && !isCancelled
      default: failed
      }
    if !isRight {
      let lawful = failed ? "the upper-most failure" : isCancelled ? "cancelled" : "done"
      complaints.operation(place, "\(operation.step). \(lawful)")
    }
  }
  return complaints
}

/// Levels without trouble must hold the same of every key that was written.
@Sendable func complaintsOfDisagreement(_ program: Program, _ seen: Observation) -> Complaints {
  var complaints = Complaints()
  let keys = Set(program.scripts.flatMap(\.contents.keys)).union(
    seen.operations.compactMap { if case .set(let key, _) = $0.action { key } else { nil } })
  for key in keys.sorted() where seen.operations.contains(where: { $0.action.writes(key) }) {
    let held = seen.rest.map { $0.contents[key] }
    for (level, value) in held.enumerated() where value != held[0] {
      let first = held[0].map { "\($0)" } ?? "nothing"
      complaints.rest(level, "\(first) under \(key), as level 0")
    }
  }
  return complaints
}
