import Foundation
import StrataCore

extension Laws {
  /// Returns the laws of a level whose values expire a fixed time after their `set`.
  ///
  /// A get doesn't renew a value's lifetime, and no value expires before its lifetime ends. A new
  /// `set` begins a new lifetime.
  ///
  ///     try Laws.check(.lifetime(.seconds(60)) { time in
  ///       Cache<String, Stamped<Int>>.memory().clocked(by: time).expiring(after: .seconds(60))
  ///     })
  ///
  /// - Parameters:
  ///   - lifetime: The time from the `set` of a value to its expiration. The lifetime must be
  ///     positive.
  ///   - tolerance: The maximum time between a value's deadline and its actual expiration, for a
  ///     level that uses the wall clock. Pass `nil`, the default, if the level uses the manual time
  ///     source that the closure `make` receives. With a tolerance, each law tries at most 20
  ///     cases, and each case takes several times the lifetime. Each law uses the measured start
  ///     and end times of the operations, so a slow machine doesn't cause a violation.
  ///   - make: A closure that returns an empty level. Called once per case, and again for each
  ///     attempt to shrink a violation.
  public static func lifetime<Key: LawSample & Hashable, Value: LawSample>(
    _ lifetime: Duration, tolerance: Duration? = nil,
    make: @escaping @Sendable (TimeSource) -> Cache<Key, Value>
  ) -> Laws {
    func law(
      _ name: String, _ statement: String, _ sentence: String,
      _ judge: @escaping @Sendable (LifetimeEvent) -> Bool
    ) -> Law {
      var law = Law(
        "lifetime.\(name)", statement, sentence, draw: { LifetimeTrial(&$0) }
      ) { trial in
        Evidence(
          trial.run(lifetime, tolerance, make).map { event in
            ("\(event)", judge(event) ? nil : event.lawful)
          })
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

/// A step that the program has performed. For a get, the event includes the actual result and the
/// results that the laws allow.
private struct LifetimeEvent: CustomStringConvertible {
  var description: String
  var isFound = false
  var mustBeFound = false
  var mayBeFound = true
  var lawful = ""
}

/// A random sequence of steps. Each step sets a value, gets a value, or waits.
private struct LifetimeTrial: Trial {
  enum Step: Equatable {
    case set(Int), get(Int), wait(twentieths: Int)
    /// Waits until the lifetime of a value ends, or until shortly before that time.
    case waitForEnd(of: Int, isEarly: Bool)
  }

  var steps: [Step]

  init(_ random: inout SeededGenerator) {
    var waited = 0
    steps = [.set(0)]
    for _ in 0..<Int.random(in: 2...10, using: &random) {
      let key = Int.random(in: 0..<2, using: &random)
      switch Int.random(in: 0..<8, using: &random) {
      case 0: steps.append(.set(key))
      case 1..<5: steps.append(.get(key))
      case 5: steps.append(.waitForEnd(of: key, isEarly: .random(using: &random)))
      default:
        let twentieths = Int.random(in: 1...24, using: &random)
        waited += twentieths
        if waited <= 40 { steps.append(.wait(twentieths: twentieths)) }
      }
    }
  }

  var size: Int { steps.count }

  var lines: [String] {
    steps.map { step in
      switch step {
      case .set(let key): "set \(key)"
      case .get(let key): "get \(key)"
      case .wait(let twentieths): "wait for \(twentieths * 5) % of the lifetime"
      case .waitForEnd(let key, let isEarly):
        "wait until \(isEarly ? "shortly before " : "")the end of \(key)"
      }
    }
  }

  var simpler: [LifetimeTrial] {
    steps.indices.map { index in
      var trial = self
      trial.steps.remove(at: index)
      return trial
    }
  }

  func run<Key: LawSample & Hashable, Value: LawSample>(
    _ lifetime: Duration, _ tolerance: Duration?, _ make: (TimeSource) -> Cache<Key, Value>
  ) -> [LifetimeEvent] {
    let (manual, clock) = TimeSource.manual()
    let cache = make(tolerance == nil ? manual : .system)
    let (patience, start) = (Patience(), ContinuousClock.now)
    func now() -> Duration {
      tolerance == nil ? clock.now.sinceEpoch : start.duration(to: .now)
    }
    func sleep(_ duration: Duration) {
      guard duration > .zero else { return }
      if tolerance == nil { return clock.advance(by: duration) }
      Thread.sleep(forTimeInterval: duration / .seconds(1))
    }
    var sets: [Int: (value: Int, from: Duration, to: Duration)] = [:]
    return zip(steps.indices, steps).map { index, step in
      let (before, text) = (now(), "\(index + 1). \(lines[index])")
      switch step {
      case .wait(let twentieths):
        sleep(lifetime * twentieths / 20)
        return LifetimeEvent(description: text)
      case .waitForEnd(let key, let isEarly):
        let slack = tolerance.map { $0 * 2 } ?? .nanoseconds(isEarly ? 1 : 0)
        if let set = sets[key] {
          sleep((isEarly ? set.from - slack : set.to + slack) + lifetime - now())
        }
        return LifetimeEvent(description: text)
      case .set(let key):
        patience.wait(for: cache.set(.sample(key), .sample(index)))
        sets[key] = (index, before, now())
        return LifetimeEvent(description: text)
      case .get(let key):
        let get = cache.get(.sample(key))
        patience.wait(for: get)
        var event = LifetimeEvent(description: text, mayBeFound: false)
        let found = get.outcome?.value
        event.isFound = found != nil
        event.description += event.isFound ? ": found" : ": not found"
        guard let set = sets[key] else {
          event.lawful = "\(text): not found, nothing was stored"
          return event
        }
        let slack = tolerance ?? .zero
        event.mustBeFound = now() < set.from + lifetime - slack
        event.mayBeFound = before < set.to + lifetime + slack && found == .sample(set.value)
        let age = (before - set.to) / lifetime
        let percent = Int(age * 100)
        event.lawful =
          "\(text): \(event.mustBeFound ? "" : "not ")found, after \(percent) % of its lifetime"
        return event
      }
    }
  }
}
