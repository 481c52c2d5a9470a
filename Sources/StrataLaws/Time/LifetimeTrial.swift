import Foundation
import StrataVerbs

/// A step that the program has performed. For a get, it includes the actual result and the results
/// that the laws allow.
struct LifetimeEvent: CustomStringConvertible {
  var description: String
  var isFound = false
  var mustBeFound = false
  var mayBeFound = true
  var lawful = ""
}

/// A random sequence of steps. They set a value, get a value, or wait.
struct LifetimeTrial: Trial {
  enum Step: Equatable {
    case set(Int), get(Int), remove(Int), clear
    /// Waits for some twentieths of the lifetime, and for some nanoseconds, so deadlines aren't
    /// whole seconds.
    case wait(twentieths: Int, nanoseconds: Int)
    /// Waits until the lifetime of a value ends, or until shortly before that time.
    case waitForEnd(of: Int, isEarly: Bool)
  }

  var steps: [Step]

  /// - Parameter isTolerant: Whether the program runs in real time. Programs in real time are slow,
  ///   so a check runs few of them. To find gets that renew a lifetime all the same, half of these
  ///   programs have the form that reveals such gets.
  init(_ random: inout SeededGenerator, isTolerant: Bool) {
    if isTolerant, Bool.random(using: &random) {
      let wait = Int.random(in: 8...17, using: &random)
      steps = [
        .set(0), .wait(twentieths: wait, nanoseconds: 0), .get(0),
        .waitForEnd(of: 0, isEarly: false),
        .get(0),
      ]
      return
    }
    var waited = 0
    steps = [.set(0)]
    for _ in 0..<Int.random(in: 2...12, using: &random) {
      let key = Int.random(in: 0..<2, using: &random)
      switch Int.random(in: 0..<20, using: &random) {
      case 0..<3: steps.append(.set(key))
      case 3..<11: steps.append(.get(key))
      case 11: steps.append(.remove(key))
      case 12: steps.append(Bool.random(using: &random) ? .clear : .remove(key))
      case 13..<16: steps.append(.waitForEnd(of: key, isEarly: .random(using: &random)))
      default:
        let twentieths = Int.random(in: 1...24, using: &random)
        waited += twentieths
        let nanoseconds = isTolerant ? 0 : Int.random(in: 0..<1_000_000_000, using: &random)
        if waited <= 40 { steps.append(.wait(twentieths: twentieths, nanoseconds: nanoseconds)) }
      }
    }
  }

  var size: Int { steps.count }

  var lines: [String] {
    steps.map { step in
      switch step {
      case .set(let key): "set \(key)"
      case .get(let key): "get \(key)"
      case .remove(let key): "remove \(key)"
      case .clear: "clear"
      case .wait(let twentieths, let nanoseconds):
        "wait for \(twentieths * 5) % of the lifetime"
          + (nanoseconds == 0 ? "" : " and \(nanoseconds) ns")
      case .waitForEnd(let key, let isEarly):
        "wait until \(isEarly ? "shortly before " : "")the end of \(key)"
      }
    }
  }

  var simpler: [LifetimeTrial] {
    withoutEach(\.steps)
  }

  func run<Key: LawSample & Hashable, Value: LawSample>(
    _ lifetime: Duration, _ tolerance: Duration?, _ make: (TimeSource) -> Cache<Key, Value>
  ) -> (events: [LifetimeEvent], isClocked: Bool) {
    let (manual, clock) = TimeSource.manual(
      startingAt: .init(sinceEpoch: .seconds(1_000_000_000) + .nanoseconds(370_000_001)))
    let cache = make(tolerance == nil ? manual : .system)
    let isClocked = tolerance != nil || cache.clock.now() == manual.now()
    let (patience, start) = (Patience(), ContinuousClock.now)
    func now() -> Duration {
      tolerance == nil ? clock.now.sinceEpoch : start.duration(to: .now)
    }
    func sleep(_ duration: Duration) {
      guard duration > .zero else { return }
      if tolerance == nil { return clock.advance(by: duration) }
      Thread.sleep(forTimeInterval: duration / .seconds(1))
    }
    var sets: [Int: (value: Value, from: Duration, to: Duration)] = [:]
    let events = zip(steps.indices, steps).map { index, step in
      let (before, text) = (now(), "\(index + 1). \(lines[index])")
      switch step {
      case .wait(let twentieths, let nanoseconds):
        sleep(lifetime * twentieths / 20 + .nanoseconds(nanoseconds))
        return LifetimeEvent(description: text)
      case .waitForEnd(let key, let isEarly):
        let slack = tolerance.map { $0 * 2 } ?? .nanoseconds(isEarly ? 1 : 0)
        if let set = sets[key % Key.usable] {
          sleep((isEarly ? set.from - slack : set.to + slack) + lifetime - now())
        }
        return LifetimeEvent(description: text)
      case .set(let key):
        let value = Value.sample(cycling: index)
        patience.wait(for: cache.set(.sample(cycling: key), value))
        sets[key % Key.usable] = (value, before, now())
        return LifetimeEvent(description: "\(text) to \(LawText.of(value))")
      case .remove(let key):
        patience.wait(for: cache.remove(.sample(cycling: key)))
        sets[key % Key.usable] = nil
        return LifetimeEvent(description: text)
      case .clear:
        patience.wait(for: cache.clear())
        sets = [:]
        return LifetimeEvent(description: text)
      case .get(let key):
        let get = cache.get(.sample(cycling: key))
        patience.wait(for: get)
        let found = get.outcome?.value
        var event = LifetimeEvent(description: text, mayBeFound: false)
        event.isFound = found != nil
        event.description += ": " + (found.map { "found \(LawText.of($0))" } ?? "not found")
        guard let set = sets[key % Key.usable] else {
          event.lawful = "\(text): not found, nothing is stored"
          return event
        }
        let slack = tolerance ?? .zero
        let isAlive = before < set.to + lifetime + slack
        event.mustBeFound = now() < set.from + lifetime - slack
        event.mayBeFound = isAlive && found == set.value
        let percent = Int((before - set.to) / lifetime * 100)
        event.lawful =
          "\(text): \(isAlive ? "found \(LawText.of(set.value))" : "not found"), "
          + "after \(percent) % of its lifetime"
        return event
      }
    }
    return (events, isClocked)
  }
}
