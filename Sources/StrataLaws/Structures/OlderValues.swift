/// Finds gets with outdated results: values that a write replaced before the get began. Also finds
/// keys for which the levels still have such an outdated value at the end of the program.
///
/// The levels must not inject faults or evict values, and each `set` must store a distinct value.
@Sendable func violationsOfOlderValues(_ program: Program, _ seen: LawObservation) -> Violations {
  var violations = Violations()
  let writes = Writes(program, seen)
  for (index, operation) in seen.operations.enumerated() {
    if operation.settlements > 1 { violations.operation(index, "\(operation.step). once") }
    guard operation.answer != .cancelled || !operation.wasCancelled else { continue }
    guard case .get(let key) = operation.action else {
      if operation.answer != .done { violations.operation(index, "\(operation.step). done") }
      continue
    }
    let lawful = writes.lawful(key, from: operation.began, to: operation.settled ?? .max)
    if !lawful.contains(operation.answer) {
      let text = lawful.map(\.description).joined(separator: " or ")
      violations.operation(index, "\(operation.step). get \(key): \(text)")
    }
  }
  for key in program.scripts.flatMap(\.contents.keys) {
    let visible = seen.rest.lazy.compactMap { $0.contents[key] }.first
    let lawful = writes.lawful(key, from: .max, to: .max)
    guard !lawful.contains(visible.map { .value($0) } ?? .miss("not found")) else { continue }
    let text = lawful.map(\.description).joined(separator: " or ")
    violations.rest(0, "visible under \(key): \(text)")
  }
  return violations
}

/// The writes of a run. They determine which results of gets are allowed.
struct Writes {
  private struct Write {
    let action: Step.Action
    let began: Int
    /// The time at which the write ended. For a cancelled write, it's `Int.max`, because the write
    /// may still be in flight.
    let ended: Int
  }

  private let writes: [Write]
  private let initial: [LevelScript]

  /// - Parameter isImmediate: Whether a write replaces the earlier values when it's called. By
  ///   default, it does so when it ends.
  init(_ program: Program, _ seen: LawObservation, replaceAtOnce isImmediate: Bool = false) {
    initial = program.scripts
    writes = seen.operations.compactMap { operation in
      if case .get = operation.action { return nil }
      let isOver = operation.settled != nil && !operation.wasCancelled
      return Write(
        action: operation.action, began: operation.began,
        ended: isImmediate ? operation.began : isOver ? operation.settled ?? .max : .max)
    }
  }

  /// Returns the allowed results of a get that began and ended at the given times. A value is
  /// allowed unless a settled write replaced it before the get began.
  func lawful(_ key: Int, from began: Int, to ended: Int) -> [LawObservation.Answer] {
    let ofKey = writes.filter { $0.action.writes(key) }
    let over = ofKey.filter { $0.ended < began }
    var lawful: [LawObservation.Answer] = []
    if over.isEmpty {
      let values = initial.compactMap { $0.contents[key] }
      lawful = values.isEmpty ? [.miss("not found")] : values.map { .value($0) }
    }
    for write in ofKey where write.began <= ended {
      if over.contains(where: { $0.began > write.ended }) { continue }
      if case .set(_, let value) = write.action {
        lawful.append(.value(value))
      } else {
        lawful.append(.miss("not found"))
      }
    }
    return lawful
  }
}
