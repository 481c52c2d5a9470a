import Strata

extension History {
  /// The answers that were overwritten, or removed, before their get began, or that nobody had
  /// stored.
  var outdated: [Int] {
    operations.indices.filter { place in
      guard case .get(let key) = operations[place].action,
        case .value(let value) = operations[place].answer
      else { return false }
      return !operations.contains {
        $0.stores(value, under: key) && isCurrent($0, under: key, for: operations[place])
      }
    }
  }

  /// Whether a set may be what a get finds: no later write of its key had settled before.
  private func isCurrent(
    _ set: Observation.Operation, under key: Int, for get: Observation.Operation
  ) -> Bool {
    set.began < get.settled ?? .max
      && !operations.contains { later in
        later.writes(key) && later.answer == .done && set.settled ?? .max < later.began
          && later.settled ?? .max < get.began
      }
  }

  /// The history beside a lawful one, without what is too old.
  func evidenceOfAge() -> Evidence? {
    let outdated = outdated
    return outdated.isEmpty ? nil : evidence(against: outdated)
  }
}

extension Observation.Operation {
  /// Whether it puts this value under a key.
  func stores(_ value: Int, under key: Int) -> Bool {
    guard case .set(let other, value) = action else { return false }
    return other / 4 == key / 4
  }

  /// Whether it changes what is under a key.
  fileprivate func writes(_ key: Int) -> Bool {
    switch action {
    case .set(let other, _), .remove(let other): other / 4 == key / 4
    case .clear: true
    default: false
    }
  }
}
