import StrataVerbs

/// A random program for the laws of refreshing. It uses a level of stamped values and a scripted
/// origin. Each `set` stores the number of its step.
struct RefreshProgram: Trial, Equatable {
  /// An action of the program.
  enum Step: Equatable, Sendable {
    /// Gets the value of a key.
    case get(Int)
    /// Stores a value.
    case set(Int)
    /// Removes a value.
    case remove(Int)
    /// Removes all values.
    case clear
    /// Cancels one of the waiting gets.
    case cancel(Int)
    /// Moves the clock forward by a number of milliseconds.
    case advance(Int)
    /// Settles one of the unsettled loads from the origin.
    case answer(Int, Answer)
  }

  /// The result of a load.
  enum Answer: Equatable, Sendable {
    /// A unique value.
    case value
    /// A miss.
    case miss
    /// The error `conditionNotSatisfied`, as if a condition had prevented the call to the origin.
    case unasked
    /// A failure.
    case failure
  }

  /// The actions in order.
  var steps: [Step]
  /// Four durations for a `Freshness`, in milliseconds: its lifetime, `staleWhileRevalidate`,
  /// `staleIfError`, and `timeout`.
  var times: [Int]
  /// The part of the lifetime, in percent, after which a value is refreshed early.
  var early = 100
  /// Whether a get without a stored value fails immediately during a pause.
  var failsInPause = false
  /// The result of every load if loads are synchronous, or `nil` if loads are asynchronous.
  var quick: Answer?

  /// Returns a random program.
  static func random(using random: inout SeededGenerator) -> RefreshProgram {
    let times = [0...4, 0...4, 0...6, 2...6].map { Int.random(in: $0, using: &random) }
    let quick: [Answer?] = [nil, nil, nil, nil, .value, .miss, .failure]
    let count = Int.random(in: 1...20, using: &random)
    return RefreshProgram(
      steps: (0..<count).map { _ in .random(using: &random) }, times: times,
      early: [100, 100, 80, 50, 0].randomElement(using: &random) ?? 100,
      failsInPause: .random(using: &random), quick: quick.randomElement(using: &random) ?? nil)
  }

  var freshness: Freshness {
    Freshness(
      for: .milliseconds(times[0]), staleWhileRevalidate: .milliseconds(times[1]),
      staleIfError: .milliseconds(times[2]), timeout: .milliseconds(times[3]),
      refreshingAfter: Double(early) / 100, failsInPause: failsInPause)
  }

  /// Shorter programs, each with half of the steps or with one step removed.
  var simpler: [RefreshProgram] {
    var all: [RefreshProgram] = []
    func add(_ steps: [Step]) {
      var program = self
      program.steps = steps
      all.append(program)
    }
    if steps.count > 3 {
      add(Array(steps.prefix(steps.count / 2)))
      add(Array(steps.suffix(steps.count / 2)))
    }
    for index in steps.indices {
      var fewer = steps
      fewer.remove(at: index)
      add(fewer)
    }
    return all
  }

  /// The number of steps.
  var size: Int { steps.count }

  /// The times and the steps.
  var lines: [String] {
    [
      "fresh for \(times[0]) ms, stale while refreshing \(times[1]) ms, "
        + "stale on error \(times[2]) ms, a load may take \(times[3]) ms",
      "refreshed after \(early) %" + (failsInPause ? ", fails in a pause" : ""),
      "the origin answers " + (quick.map { "\($0) immediately" } ?? "as programmed"),
    ] + steps.enumerated().map { "\($0 + 1). \($1)" }
  }
}

extension RefreshProgram.Step {
  fileprivate static func random(using random: inout SeededGenerator) -> Self {
    let key = Int.random(in: 0..<2, using: &random)
    switch Int.random(in: 0..<20, using: &random) {
    case 0..<7: return .get(key)
    case 7, 8: return .set(key)
    case 9: return .remove(key)
    case 10: return Bool.random(using: &random) ? .clear : .cancel(key)
    case 11..<16: return .advance(Int.random(in: 1...4, using: &random))
    default:
      let answers: [RefreshProgram.Answer] = [
        .value, .value, .failure, .failure, .unasked, .miss, .miss,
      ]
      return .answer(
        Int.random(in: 0..<3, using: &random), answers.randomElement(using: &random) ?? .value)
    }
  }
}
