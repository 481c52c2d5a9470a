/// No answer, and nothing visible at rest, may be older than a write that had settled before.
///
/// Of levels without trouble that forget nothing, and of programs whose sets store distinct values.
@Sendable func complaintsOfOlderValues(_ program: Program, _ seen: Observation) -> Complaints {
  var complaints = Complaints()
  let writes = Writes(program, seen)
  for (place, operation) in seen.operations.enumerated() {
    if operation.settlements > 1 { complaints.operation(place, "\(operation.step). once") }
    guard operation.answer != .cancelled || !operation.wasCancelled else { continue }
    guard case .get(let key) = operation.action else {
      if operation.answer != .done { complaints.operation(place, "\(operation.step). done") }
      continue
    }
    let lawful = writes.lawful(key, from: operation.began, to: operation.settled ?? .max)
    if !lawful.contains(operation.answer) {
      let text = lawful.map(\.description).joined(separator: " or ")
      complaints.operation(place, "\(operation.step). get \(key): \(text)")
    }
  }
  for key in program.scripts.flatMap(\.contents.keys) {
    let visible = seen.rest.lazy.compactMap { $0.contents[key] }.first
    let lawful = writes.lawful(key, from: .max, to: .max)
    guard !lawful.contains(visible.map { .value($0) } ?? .miss("not found")) else { continue }
    let text = lawful.map(\.description).joined(separator: " or ")
    complaints.rest(0, "visible under \(key): \(text)")
  }
  return complaints
}

/// The writes of a run, and what may be seen of them.
private struct Writes {
  private struct Write {
    let action: Step.Action
    let began: Int
    /// When it was over; never for one that was cancelled, which may still be under way.
    let ended: Int
  }

  private let writes: [Write]
  private let initial: [LevelScript]

  init(_ program: Program, _ seen: Observation) {
    initial = program.scripts
    writes = seen.operations.compactMap { operation in
      if case .get = operation.action { return nil }
      let isOver = operation.settled != nil && !operation.wasCancelled
      return Write(
        action: operation.action, began: operation.began,
        ended: isOver ? operation.settled ?? .max : .max)
    }
  }

  /// What a get between two moments may answer: what no later write that was over has replaced.
  func lawful(_ key: Int, from began: Int, to ended: Int) -> [Observation.Answer] {
    let ofKey = writes.filter { $0.action.writes(key) }
    let over = ofKey.filter { $0.ended < began }
    var lawful: [Observation.Answer] = []
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
