/// A model of a level whose operations run one after another.
///
/// When there is enough room, the level keeps every value that a settled `set` has stored. If there
/// isn't, it may evict values. But a value that a later write has replaced or removed may never
/// reappear.
struct LevelModel {
  private struct Entry {
    var values: Set<Int> = []
    /// The number of the first write after which a get must return a value, or zero if a get may
    /// miss.
    var certainSince = 0
    /// The cause of this entry as text, such as `stored in step 3`.
    var reason: String
  }

  /// The maximum number of keys whose values the level must keep.
  let room: Int
  /// Whether values survive memory warnings.
  let isPersistent: Bool
  /// Whether a value may reappear after a miss, because the miss may show an older state.
  var isEventual = false
  private var entries: [Int: Entry] = [:]
  /// The keys that the level may hold. It may hold fewer, because it may have evicted some.
  private var stored: Set<Int> = []
  /// The number of writes.
  private var writes = 0
  /// The number of the last write after which the level may have lost any value.
  private var lastLoss = 0
  private var whyEmpty = "nothing was stored"

  init(room: Int = 0, isPersistent: Bool = false) {
    self.room = room
    self.isPersistent = isPersistent
  }

  /// Returns the values that a get may return.
  func values(of key: Int) -> Set<Int> { entries[key.keyNumber]?.values ?? [] }

  /// Whether a get may miss.
  func mayMiss(_ key: Int) -> Bool { !isCertain(entries[key.keyNumber]) }

  private func isCertain(_ entry: Entry?) -> Bool {
    entry.map { $0.certainSince > lastLoss } ?? false
  }

  /// Records a write. When it failed, it may or may not have taken effect.
  mutating func note(_ operation: LawObservation.Operation) {
    let isDone = operation.answer == .done
    writes += 1
    switch operation.action {
    case .set(let key, let value):
      stored.insert(key.keyNumber)
      let older = isDone ? [] : values(of: key)
      entries[key.keyNumber] = Entry(
        values: older.union([value]), certainSince: isDone ? writes : 0,
        reason: "stored in step \(operation.step)")
      if stored.count > room { lastLoss = writes }
    case .remove(let key):
      guard isDone else { return }
      entries[key.keyNumber] = Entry(reason: "removed in step \(operation.step)")
      stored.remove(key.keyNumber)
    case .clear:
      guard isDone else { return }
      (entries, stored, whyEmpty) = ([:], [], "cleared in step \(operation.step)")
    case .warn:
      if !isPersistent { lastLoss = writes }
    default: break
    }
  }

  /// Records the result of a get. After a miss, later gets must also miss until a `set` stores a
  /// new value.
  mutating func note(_ key: Int, answered value: Int?, in step: Int) {
    guard let value else {
      if !values(of: key).isEmpty, !isEventual {
        entries[key.keyNumber] = Entry(reason: "missing since step \(step)")
      }
      return
    }
    entries[key.keyNumber]?.values = [value]
  }

  /// Describes the results that a get may have, and why.
  func lawful(_ key: Int) -> String {
    guard let entry = entries[key.keyNumber], !entry.values.isEmpty else {
      return "not found, \(entries[key.keyNumber]?.reason ?? whyEmpty)"
    }
    let values = entry.values.sorted().map { "\($0)" } + (isCertain(entry) ? [] : ["not found"])
    return "\(values.joined(separator: " or ")), \(entry.reason)"
  }

  /// Whether a get of the key may return the given answer.
  func allows(_ answer: LawObservation.Answer, of key: Int) -> Bool {
    switch answer {
    case .value(let value): values(of: key).contains(value)
    case .miss: mayMiss(key)
    default: false
    }
  }
}

/// Returns the operations whose results don't match the model. All operations must have run one
/// after another.
func violationsInSequence(
  _ seen: [LawObservation.Operation], _ model: LevelModel = LevelModel()
) -> Violations {
  var violations = Violations()
  var model = model
  for (index, operation) in seen.enumerated() {
    guard case .get(let key) = operation.action else {
      if !operation.isLawfulWrite { violations.operation(index, "\(operation.step). done") }
      model.note(operation)
      continue
    }
    guard model.allows(operation.answer, of: key) else {
      violations.operation(index, "\(operation.step). get \(key): \(model.lawful(key))")
      continue
    }
    let value: Int? = if case .value(let value) = operation.answer { value } else { nil }
    model.note(key, answered: value, in: operation.step)
  }
  return violations
}

/// Returns the operations whose results violate the law, in a run whose operations may overlap. The
/// value of a get must match the writes that began before it, or come from a `set` that began while
/// it was in flight.
func violationsInOrder(_ seen: LawObservation) -> Violations {
  var violations = Violations()
  var model = LevelModel()
  for (index, operation) in seen.operations.enumerated() {
    if operation.settlements != 1 {
      violations.operation(index, "\(operation.step). settled once")
    }
    guard case .get(let key) = operation.action else {
      let isCancelled = operation.wasCancelled && operation.answer == .cancelled
      if !operation.isLawfulWrite, !isCancelled {
        violations.operation(index, "\(operation.step). done")
      }
      model.note(operation)
      continue
    }
    let later = seen.operations.filter {
      $0.began > operation.began && $0.began < operation.settled ?? .max
    }
    switch operation.answer {
    case .value(let value) where model.values(of: key).contains(value): break
    case .value(let value) where later.contains { $0.stores(value, under: key) }: break
    case .miss: break
    case .cancelled where operation.wasCancelled: break
    default:
      violations.operation(index, "\(operation.step). get \(key): \(model.lawful(key))")
    }
  }
  return violations
}

extension LawObservation.Operation {
  /// Whether the law allows the result of the write. Only a `set` may fail, not `remove` or
  /// `clear`.
  var isLawfulWrite: Bool {
    switch (action, answer) {
    case (_, .done), (.set, .failure), (.set, .miss), (.warn, _): true
    default: false
    }
  }
}
