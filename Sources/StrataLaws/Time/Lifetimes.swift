import Foundation
import StrataVerbs

extension Laws {
  /// Returns the laws of a level whose values expire a fixed time after their `set`.
  ///
  /// A value expires when its lifetime ends, and not earlier. Gets don't renew the lifetime. Only a
  /// new `set` begins a new one.
  ///
  ///     try Laws.check(.lifetime(.seconds(60)) { time in
  ///       Cache<String, Stamped<Int>>.memory(clock: time).expiring(after: .seconds(60))
  ///     })
  ///
  /// - Parameters:
  ///   - lifetime: The time from the `set` of a value to its expiration. It must be positive.
  ///   - tolerance: For a level that uses the wall clock, the maximum time between a value's
  ///     deadline and its actual expiration. Pass `nil`, the default, if the level uses the manual
  ///     time source that the closure `make` receives. With a tolerance, each law tries at most 20
  ///     cases, and each takes several times the lifetime. The laws measure when the operations
  ///     begin and end, so a slow machine doesn't cause a violation.
  ///   - make: A closure that returns an empty level, which must use the time source that the
  ///     closure receives. A level that already has a clock, such as `.memory()` of stamped values,
  ///     ignores `clocked(by:)`, so pass the time source to the level itself. The closure is called
  ///     once per case, and again for each attempt to shrink a violation.
  public static func lifetime<Key: LawSample & Hashable, Value: LawSample>(
    _ lifetime: Duration, tolerance: Duration? = nil,
    make: @escaping @Sendable (TimeSource) -> Cache<Key, Value>
  ) -> Laws {
    func law(
      _ name: String, _ statement: String, _ sentence: String,
      _ judge: @escaping @Sendable (LifetimeEvent) -> Bool
    ) -> Law {
      var law = Law(
        "lifetime.\(name)", statement, sentence,
        draw: { LifetimeTrial(&$0, isTolerant: tolerance != nil) }
      ) { trial in
        guard lifetime > .zero else {
          return LawEvidence([("the lifetime is \(lifetime)", "a lifetime above zero")])
        }
        let (events, isClocked) = trial.run(lifetime, tolerance, make)
        var evidence = LawEvidence(
          events.map { event in ("\(event)", judge(event) ? nil : event.lawful) })
        if !isClocked {
          evidence?.notes.append(
            "The level's clock isn't the time source that the closure received. If it has a clock of "
              + "its own, pass the time source where it's made, as in .memory(clock: time).")
        }
        return evidence
      }
      if tolerance != nil { law.mostCases = 20 }
      return law.waiting
    }
    return Laws(
      "lifetime",
      [
        law(
          "kept", "set(k, v); get(k) == v before the end of v",
          "A get finds a value until the end of the value's lifetime."
        ) { $0.isFound || !$0.mustBeFound },
        law(
          "ended", "set(k, v); get(k) is a miss after the end of v",
          "A get doesn't find a value after the value's lifetime, even if earlier gets found it."
        ) { !$0.isFound || $0.mayBeFound },
      ])
  }
}
