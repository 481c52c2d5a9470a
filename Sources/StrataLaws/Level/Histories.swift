/// A history of a level: the concurrent operations of all clients, with their results. In the
/// history, values may be evicted if the level doesn't have room for all keys, or after a memory
/// warning.
///
/// The check for linearizability uses Wing and Gong's search (1993) with Lowe's memoization of
/// visited states (2017).
struct History {
  let operations: [LawObservation.Operation]
  /// Whether the level has room for all keys, so it must keep every stored value.
  let isKeeping: Bool
  /// Whether removals and clears may be in flight at the end of the history.
  private var isPrefix = false

  init(_ seen: LawObservation, isKeeping: Bool = false) {
    operations = seen.operations
    self.isKeeping = isKeeping
  }

  private struct Place: Hashable {
    let done: UInt64
    let held: [Int: Int]
    /// The keys that had no value before their current value was set.
    let fresh: Set<Int>
  }

  /// Whether a linearization exists.
  var isLinearizable: Bool {
    var seen: Set<Place> = []
    var open = [Place(done: 0, held: [:], fresh: [])]
    let all = UInt64(1) << UInt64(operations.count) - 1
    while let index = open.popLast() {
      if index.done == all { return true }
      guard seen.insert(index).inserted else { continue }
      let left = operations.indices.filter { index.done & (1 << UInt64($0)) == 0 }
      let end = left.map { operations[$0].settled ?? .max }.min() ?? .max
      for next in left where operations[next].began <= end {
        let done = index.done | (1 << UInt64(next))
        let fresh = fresh(after: operations[next], index)
        open += after(operations[next], index).map {
          Place(done: done, held: $0, fresh: fresh)
        }
      }
    }
    return false
  }

  /// Returns the states that can follow an operation with its observed result. The list is empty if
  /// the operation can't have this result.
  private func after(_ operation: LawObservation.Operation, _ place: Place) -> [[Int: Int]] {
    var held = place.held
    switch (operation.action, operation.answer) {
    case (.get(let key), .value(let value)): return held[key.keyNumber] == value ? [held] : []
    case (.get(let key), .miss):
      let before = held
      held[key.keyNumber] = nil
      let mayReturn = isUnderWay(before[key.keyNumber], key, during: operation)
      if isKeeping, before[key.keyNumber] != nil {
        return mayReturn && place.fresh.contains(key.keyNumber) ? [before] : []
      }
      return mayReturn ? [held, before] : [held]
    case (.get, .cancelled), (.warn, _): break
    case (.get, _): return []
    case (.set(let key, let value), let answer):
      let before = held
      held[key.keyNumber] = value
      return answer == .done ? [held] : [before, held]
    case (.remove(let key), .done): held[key.keyNumber] = nil
    case (.clear, .done): held = [:]
    case (.remove(let key), .none) where isPrefix:
      let before = held
      held[key.keyNumber] = nil
      return [before, held]
    case (.clear, .none) where isPrefix: return [held, [:]]
    default: return []
    }
    return [held]
  }

  /// Returns the fresh keys after an operation. A key is fresh if it had no settled value before
  /// its current value was set. While a `set` stores a key's first value, a get may miss, but not
  /// while it replaces a value.
  private func fresh(after operation: LawObservation.Operation, _ place: Place) -> Set<Int> {
    guard case .set(let key, _) = operation.action else { return place.fresh }
    let before = place.held[key.keyNumber]
    var fresh = place.fresh
    guard
      before == nil
        || isUnderWay(before, key, during: operation) && fresh.contains(key.keyNumber)
    else {
      fresh.remove(key.keyNumber)
      return fresh
    }
    fresh.insert(key.keyNumber)
    return fresh
  }

  /// Whether a `set` of the given value overlaps a get. While the `set` is in flight, the value may
  /// be in only some levels of a sum, so gets may alternate between hits and misses.
  private func isUnderWay(
    _ value: Int?, _ key: Int, during get: LawObservation.Operation
  ) -> Bool {
    operations.contains { write in
      guard case .set(let other, value) = write.action, other.keyNumber == key.keyNumber else {
        return false
      }
      return (write.settled ?? .max) > get.began
    }
  }

  /// Returns the observed history next to a corrected one, or `nil` if the observed history is
  /// linearizable.
  func evidence() -> LawEvidence? {
    guard !isLinearizable else { return nil }
    let gets = operations.indices.filter {
      if case .get = operations[$0].action { true } else { false }
    }
    let first = shortest
    let before = operations.indices.filter { operations[$0].began <= operations[first].began }
    let culprit = gets.contains(first) ? first : gets.last { before.contains($0) }
    var evidence = evidence(
      against: culprit.map { [$0] } ?? (gets.isEmpty ? operations.indices.map(\.self) : gets))
    evidence?.notes = [
      "The operations up to the mark already have no lawful order; those before it have one."
    ]
    return evidence
  }

  /// The operation that ends the shortest prefix of the history without a lawful order. The history has a
  /// prefix for each operation: what had begun when this operation ended, with the results that were
  /// known by then.
  private var shortest: Int {
    let ends = operations.indices.filter { operations[$0].settled != nil }
      .sorted { operations[$0].settled! < operations[$1].settled! }
    return ends.first { !prefix(until: operations[$0].settled!).isLinearizable }
      ?? ends.last ?? operations.startIndex
  }

  /// The history as it was at a moment. Writes that hadn't settled then may have taken effect, or
  /// not.
  private func prefix(until moment: Int) -> History {
    var seen = LawObservation()
    for var operation in operations where operation.began <= moment {
      if operation.settled ?? .max > moment {
        if case .get = operation.action { continue }
        (operation.settled, operation.answer) = (nil, .none)
      }
      seen.operations.append(operation)
    }
    var history = History(seen, isKeeping: isKeeping)
    history.isPrefix = true
    return history
  }

  /// Returns the observed history next to a corrected one, in which a description of the correct
  /// result replaces each wrong one.
  func evidence(against wrong: [Int]) -> LawEvidence? {
    LawEvidence(
      operations.indices.map { index in
        let operation = operations[index]
        let text = "client \(operation.client), from \(operation.began): \(operation)"
        return (text, wrong.contains(index) ? wanted(operation) : nil)
      })
  }

  private func wanted(_ operation: LawObservation.Operation) -> String {
    if case .miss = operation.answer { return "a value that an earlier set stored" }
    return isKeeping
      ? "the value of the last set, or not found after a remove" : "another value, or not found"
  }
}
