import StrataVerbs

extension History {
  /// The indices of the gets with wrong results. A value is wrong if a write replaced it before the
  /// get began, or if no `set` of it began before the get settled. In a level with room for all
  /// keys, a miss is wrong if the level must still contain a value for the key.
  var outdated: [Int] {
    operations.indices.filter { index in
      guard case .get(let key) = operations[index].action else { return false }
      if case .miss = operations[index].answer {
        return isKeeping && isLost(key, operations[index])
      }
      guard case .value(let value) = operations[index].answer else { return false }
      return !operations.contains {
        $0.stores(value, under: key) && isCurrent($0, under: key, for: operations[index])
      }
    }
  }

  /// Whether a get missed a value that a `set` had stored before the get began. The get may miss if
  /// a `remove` or `clear` overlapped the time from the start of the `set` to the end of the get.
  /// When a `set` of the key hasn't succeeded, it may also miss.
  private func isLost(_ key: Int, _ get: LawObservation.Operation) -> Bool {
    operations.contains { set in
      guard case .set(let other, _) = set.action, other.keyNumber == key.keyNumber,
        set.answer == .done,
        let settled = set.settled, settled < get.began
      else { return false }
      return !operations.contains { removal in
        if case .set = removal.action { return removal.writes(key) && removal.answer != .done }
        return removal.writes(key) && removal.settled ?? .max > set.began
          && removal.began < get.settled ?? .max
      }
    }
  }

  /// Whether a get may return the value that a `set` stored. The value is too new if the `set`
  /// began after the get had settled, and too old if another write replaced it before the get
  /// began.
  private func isCurrent(
    _ set: LawObservation.Operation, under key: Int, for get: LawObservation.Operation
  ) -> Bool {
    set.began < get.settled ?? .max
      && !operations.contains { later in
        later.writes(key) && later.answer == .done && set.settled ?? .max < later.began
          && later.settled ?? .max < get.began
      }
  }

  /// Returns the observed history next to a corrected one, or `nil` if no get returned an outdated
  /// result.
  func evidenceOfAge() -> LawEvidence? {
    let outdated = outdated
    return outdated.isEmpty ? nil : evidence(against: outdated)
  }
}

extension LawObservation.Operation {
  /// Whether the operation stores the given value under a key.
  func stores(_ value: Int, under key: Int) -> Bool {
    guard case .set(let other, value) = action else { return false }
    return other.keyNumber == key.keyNumber
  }

  /// Whether the operation changes the value of a key.
  fileprivate func writes(_ key: Int) -> Bool {
    switch action {
    case .set(let other, _), .remove(let other): other.keyNumber == key.keyNumber
    case .clear: true
    default: false
    }
  }
}
