import StrataVerbs

extension Laws {
  /// Returns the law about references: if a value is an object that changes in place, the level must
  /// store a copy. The law applies only to types whose `changeInPlace()` changes a value, because
  /// objects can't be copied in general.
  static func referenced<Key: LawSample & Hashable, Value: LawSample>(
    _ contract: LevelContract<Key, Value>
  ) -> Law {
    var law = Law(
      "level.references", "set(k, v); change v; get(k) == the old v",
      "A level stores copies of values, so a change of an object isn't a change of the level.",
      draw: {
        ReferenceTrial(number: Int.random(in: 0..<8, using: &$0), isResult: .random(using: &$0))
      }
    ) { trial in
      let (key, value) = (
        Key.sample(cycling: trial.number), Value.sample(cycling: trial.number)
      )
      // A second sample is equal, but another object.
      let old = LawText.of(Value.sample(cycling: trial.number))
      guard Value.sample(cycling: trial.number).changeInPlace() else { return nil }
      let place = LevelPlace()
      let cache = contract.open(place.name)
      defer { withExtendedLifetime(place) {} }
      if let cleanUp = contract.cleanUp {
        place.atEnd { [name = place.name] in cleanUp(name, cache) }
      }
      func wait<Answer>(_ promise: Promise<Answer>) -> Answer? {
        contract.patience.wait(for: promise)
        return promise.outcome?.value
      }
      guard wait(cache.set(key, value)) != nil else { return nil }
      if trial.isResult {
        guard let first = wait(cache.get(key)) else { return nil }
        _ = first.changeInPlace()
      } else {
        _ = value.changeInPlace()
      }
      guard let last = wait(cache.get(key)), last != .sample(cycling: trial.number) else {
        return nil
      }
      let steps = trial.lines
      var evidence = LawEvidence([
        (steps[0], nil), (steps[1], nil),
        ("\(steps[2]): \(LawText.of(last))", "\(steps[2]): \(old)"),
      ])
      evidence?.notes = [
        "The level stores a reference to the object. Store a copy, or document that callers must "
          + "not change their objects, and let changeInPlace() return false."
      ]
      return evidence
    }
    law.mostCases = 16
    return law
  }
}

/// A value that changes after it was stored, or after a get returned it.
private struct ReferenceTrial: Trial {
  let number: Int
  /// Whether the object that a get returned changes, and not the stored object.
  let isResult: Bool

  var simpler: [ReferenceTrial] { [] }
  var size: Int { 3 }
  var lines: [String] {
    [
      "1. set \(number)",
      isResult ? "2. get \(number), and change the result" : "2. change the stored object",
      "3. get \(number)",
    ]
  }
}
