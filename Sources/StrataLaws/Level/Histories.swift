/// Whether a concurrent history has an order in which a level that may forget answers as it did.
///
/// Wing and Gong's search (1993), with the states already seen remembered, as Lowe does (2017).
struct History {
  let operations: [Observation.Operation]

  init(_ seen: Observation) { operations = seen.operations }

  private struct Place: Hashable {
    let done: UInt64
    let held: [Int: Int]
  }

  /// True if there is such an order.
  var isLinearizable: Bool {
    var seen: Set<Place> = []
    var open = [Place(done: 0, held: [:])]
    let all = UInt64(1) << UInt64(operations.count) - 1
    while let place = open.popLast() {
      if place.done == all { return true }
      guard seen.insert(place).inserted else { continue }
      let left = operations.indices.filter { place.done & (1 << UInt64($0)) == 0 }
      let end = left.map { operations[$0].settled ?? .max }.min() ?? .max
      for next in left where operations[next].began <= end {
        let done = place.done | (1 << UInt64(next))
        open += after(operations[next], place.held).map { Place(done: done, held: $0) }
      }
    }
    return false
  }

  /// What may be held after an operation that answered as it did; nothing if it cannot have.
  private func after(_ operation: Observation.Operation, _ held: [Int: Int]) -> [[Int: Int]] {
    var held = held
    switch (operation.action, operation.answer) {
    case (.get(let key), .value(let value)): return held[key / 4] == value ? [held] : []
    case (.get(let key), .miss):
      let before = held
      held[key / 4] = nil
      return isUnderWay(before[key / 4], key, during: operation) ? [held, before] : [held]
    case (.get, .cancelled), (.warn, _): break
    case (.get, _): return []
    case (.set(let key, let value), let answer):
      let before = held
      held[key / 4] = value
      return answer == .done ? [held] : [before, held]
    case (.remove(let key), .done): held[key / 4] = nil
    case (.clear, .done): held = [:]
    default: return []
    }
    return [held]
  }

  /// Whether a value is still being stored: in some levels already, in others not yet, so that it
  /// may be found, missed and found again.
  private func isUnderWay(
    _ value: Int?, _ key: Int, during get: Observation.Operation
  ) -> Bool {
    operations.contains { write in
      guard case .set(let other, value) = write.action, other / 4 == key / 4 else { return false }
      return (write.settled ?? .max) > get.began
    }
  }

  /// The history beside a lawful one: the answers that stand in the way, replaced by misses.
  func evidence() -> Evidence? {
    guard !isLinearizable else { return nil }
    let suspects = operations.indices.filter { operations[$0].answer != .miss("not found") }
    let gets = suspects.filter { if case .get = operations[$0].action { true } else { false } }
    let culprit = gets.first { History(forgetting: [$0], in: operations).isLinearizable }
    return evidence(against: culprit.map { [$0] } ?? (gets.isEmpty ? suspects : gets))
  }

  /// The history beside one in which some answers are others.
  func evidence(against wrong: [Int]) -> Evidence? {
    Evidence(
      operations.indices.map { place in
        let operation = operations[place]
        let text = "client \(operation.client), from \(operation.began): \(operation)"
        return (text, wrong.contains(place) ? "another value, or not found" : nil)
      })
  }

  private init(forgetting places: [Int], in operations: [Observation.Operation]) {
    var operations = operations
    for place in places { operations[place].answer = .miss("not found") }
    self.operations = operations
  }
}
