/// A model of a level whose operations run one after another.
///
/// A level with enough room keeps every value that a settled `set` call stored. A level without
/// enough room may evict values. A level must never return a value that a later write has replaced
/// or removed.
struct LevelModel {
  private struct Entry {
    var values: Set<Int> = []
    /// Whether a get is required to return a value instead of a miss.
    var isCertain = false
    /// The cause of this entry as text, such as `stored in step 3`.
    var reason: String
  }

  /// The maximum number of keys whose values the level must keep.
  let room: Int
  /// Whether values survive memory warnings.
  let isPersistent: Bool
  private var entries: [Int: Entry] = [:]
  private var stored: Set<Int> = []
  private var whyEmpty = "nothing was stored"

  init(room: Int = 0, isPersistent: Bool = false) {
    self.room = room
    self.isPersistent = isPersistent
  }

  /// Returns the values that a get may return.
  func values(of key: Int) -> Set<Int> { entries[key / 4]?.values ?? [] }

  /// Whether a get may miss.
  func mayMiss(_ key: Int) -> Bool { entries[key / 4]?.isCertain != true }

  /// Records a write. A failed write may or may not have taken effect.
  mutating func note(_ operation: Observation.Operation) {
    let isDone = operation.answer == .done
    switch operation.action {
    case .set(let key, let value):
      stored.insert(key / 4)
      let older = isDone ? [] : values(of: key)
      entries[key / 4] = Entry(
        values: older.union([value]), isCertain: isDone,
        reason: "stored in step \(operation.step)")
      if stored.count > room { for key in entries.keys { entries[key]?.isCertain = false } }
    case .remove(let key):
      if isDone { entries[key / 4] = Entry(reason: "removed in step \(operation.step)") }
    case .clear:
      guard isDone else { return }
      (entries, stored, whyEmpty) = ([:], [], "cleared in step \(operation.step)")
    case .warn:
      if !isPersistent { for key in entries.keys { entries[key]?.isCertain = false } }
    default: break
    }
  }

  /// Records the result of a get. After a miss, later gets must also miss until a `set` call stores
  /// a new value.
  mutating func note(_ key: Int, answered value: Int?, in step: Int) {
    guard let value else {
      if !values(of: key).isEmpty { entries[key / 4] = Entry(reason: "missing since step \(step)") }
      return
    }
    entries[key / 4]?.values = [value]
  }

  /// Describes the allowed results of a get, and the reason why they are allowed.
  func lawful(_ key: Int) -> String {
    guard let entry = entries[key / 4], !entry.values.isEmpty else {
      return "not found, \(entries[key / 4]?.reason ?? whyEmpty)"
    }
    let values = entry.values.sorted().map { "\($0)" } + (entry.isCertain ? [] : ["not found"])
    return "\(values.joined(separator: " or ")), \(entry.reason)"
  }

  /// Whether a get of the key may return the given answer.
  func allows(_ answer: Observation.Answer, of key: Int) -> Bool {
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
  _ seen: [Observation.Operation], _ model: LevelModel = LevelModel()
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

/// Returns the operations whose results violate the law, in a run whose operations may overlap. If
/// a get returns a value, the value must match the writes that began before the get, or come from a
/// `set` call that began while the get was in flight.
func violationsInOrder(_ seen: Observation) -> Violations {
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

extension Observation.Operation {
  /// Whether the result of a write is allowed. A `set` may fail, but `remove` and `clear` must
  /// succeed.
  var isLawfulWrite: Bool {
    switch (action, answer) {
    case (_, .done), (.set, .failure), (.set, .miss), (.warn, _): true
    default: false
    }
  }
}
