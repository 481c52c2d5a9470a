/// The sequential model of a level: it may forget, and answers nothing that was replaced.
struct LevelModel {
  private var held: [Int: Set<Int>] = [:]

  /// What a get may answer beside a miss.
  func values(of key: Int) -> Set<Int> { held[key / 4] ?? [] }

  /// Takes note of a write: one that did not succeed may or may not have been done.
  mutating func note(_ operation: Observation.Operation) {
    let isDone = operation.answer == .done
    switch operation.action {
    case .set(let key, let value):
      held[key / 4] = isDone ? [value] : values(of: key).union([value])
    case .remove(let key): if isDone { held[key / 4] = [] }
    case .clear: if isDone { held = [:] }
    default: break
    }
  }

  /// Takes note of what a get answered: what is forgotten does not come back.
  mutating func note(_ key: Int, answered value: Int?) {
    held[key / 4] = value.map { [$0] } ?? []
  }

  func lawful(_ key: Int) -> String {
    let values = values(of: key).sorted().map { "\($0)" }
    return (values + ["not found"]).joined(separator: " or ")
  }
}

/// Operations that were each waited for must answer as the model does.
func complaintsInSequence(_ seen: Observation) -> Complaints {
  var complaints = Complaints()
  var model = LevelModel()
  for (place, operation) in seen.operations.enumerated() {
    guard case .get(let key) = operation.action else {
      if !operation.isLawfulWrite { complaints.operation(place, "\(operation.step). done") }
      model.note(operation)
      continue
    }
    switch operation.answer {
    case .value(let value) where model.values(of: key).contains(value):
      model.note(key, answered: value)
    case .miss: model.note(key, answered: nil)
    default:
      complaints.operation(place, "\(operation.step). get \(key): \(model.lawful(key))")
    }
  }
  return complaints
}

/// Operations called without waiting: a get sees the writes called before it, and perhaps later
/// ones.
func complaintsInOrder(_ seen: Observation) -> Complaints {
  var complaints = Complaints()
  var model = LevelModel()
  for (place, operation) in seen.operations.enumerated() {
    if operation.settlements != 1 {
      complaints.operation(place, "\(operation.step). settled once")
    }
    guard case .get(let key) = operation.action else {
      let isCancelled = operation.wasCancelled && operation.answer == .cancelled
      if !operation.isLawfulWrite, !isCancelled {
        complaints.operation(place, "\(operation.step). done")
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
      complaints.operation(place, "\(operation.step). get \(key): \(model.lawful(key))")
    }
  }
  return complaints
}

extension Observation.Operation {
  /// Whether a write answered as it may: a `set` may fail, `remove` and `clear` may not.
  fileprivate var isLawfulWrite: Bool {
    switch (action, answer) {
    case (_, .done), (.set, .failure), (.set, .miss): true
    default: false
    }
  }
}
