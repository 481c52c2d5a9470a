/// A history of a level: the concurrent operations of all clients, with their results. If the level
/// doesn't have room for all keys, the history may contain evictions.
///
/// The check for linearizability uses Wing and Gong's search (1993) with Lowe's memoization of
/// visited states (2017).
struct History {
  let operations: [Observation.Operation]
  /// Whether the level has room for all keys. If `true`, the level must keep every stored value.
  let isKeeping: Bool

  init(_ seen: Observation, isKeeping: Bool = false) {
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

  /// Returns the states that can follow an operation, given its observed result. Returns an empty
  /// array if the operation can't have its observed result.
  private func after(_ operation: Observation.Operation, _ place: Place) -> [[Int: Int]] {
    var held = place.held
    switch (operation.action, operation.answer) {
    case (.get(let key), .value(let value)): return held[key / 4] == value ? [held] : []
    case (.get(let key), .miss):
      let before = held
      held[key / 4] = nil
      let mayReturn = isUnderWay(before[key / 4], key, during: operation)
      if isKeeping, before[key / 4] != nil {
        return mayReturn && place.fresh.contains(key / 4) ? [before] : []
      }
      return mayReturn ? [held, before] : [held]
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

  /// Returns the fresh keys after an operation. A key is fresh if it had no settled value before
  /// its current value was set. A get may miss while a `set` call stores a key's first value, but
  /// not while a `set` call replaces a value.
  private func fresh(after operation: Observation.Operation, _ place: Place) -> Set<Int> {
    guard case .set(let key, _) = operation.action else { return place.fresh }
    let before = place.held[key / 4]
    var fresh = place.fresh
    guard before == nil || isUnderWay(before, key, during: operation) && fresh.contains(key / 4)
    else {
      fresh.remove(key / 4)
      return fresh
    }
    fresh.insert(key / 4)
    return fresh
  }

  /// Whether a `set` call that stores the given value overlaps with a get. While the `set` call is
  /// in flight, the value may be in only some levels of a sum, so gets may alternate between hits
  /// and misses.
  private func isUnderWay(
    _ value: Int?, _ key: Int, during get: Observation.Operation
  ) -> Bool {
    operations.contains { write in
      guard case .set(let other, value) = write.action, other / 4 == key / 4 else { return false }
      return (write.settled ?? .max) > get.began
    }
  }

  /// Returns the observed history next to a corrected history, or `nil` if the observed history is
  /// linearizable.
  func evidence() -> Evidence? {
    guard !isLinearizable else { return nil }
    let gets = operations.indices.filter {
      if case .get = operations[$0].action { true } else { false }
    }
    let culprit = gets.first { without($0).isLinearizable }
    return evidence(
      against: culprit.map { [$0] } ?? (gets.isEmpty ? operations.indices.map(\.self) : gets))
  }

  /// Returns the observed history next to a corrected history. In the corrected history, each wrong
  /// result is replaced by a description of the correct result.
  func evidence(against wrong: [Int]) -> Evidence? {
    Evidence(
      operations.indices.map { index in
        let operation = operations[index]
        let text = "client \(operation.client), from \(operation.began): \(operation)"
        return (text, wrong.contains(index) ? wanted(operation) : nil)
      })
  }

  private func wanted(_ operation: Observation.Operation) -> String {
    if case .miss = operation.answer { return "a value that an earlier set stored" }
    return isKeeping
      ? "the value of the last set, or not found after a remove" : "another value, or not found"
  }

  private func without(_ index: Int) -> History {
    var operations = operations
    operations.remove(at: index)
    return History(Observation(operations: operations), isKeeping: isKeeping)
  }
}
