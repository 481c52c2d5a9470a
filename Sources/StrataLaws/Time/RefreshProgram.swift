import Strata

/// Steps over a level of stamped values and an origin that answers when it is told to: what laws
/// about refreshing are tried on. A set stores the number of its step.
struct RefreshProgram: Trial, Equatable {
  /// One thing that is done, or that happens.
  enum Step: Equatable, Sendable {
    /// Asks the cache for a key.
    case get(Int)
    /// Stores a value.
    case set(Int)
    /// Removes a value.
    case remove(Int)
    /// Removes all values.
    case clear
    /// Cancels one of the gets that wait.
    case cancel(Int)
    /// Moves the clock forward by milliseconds.
    case advance(Int)
    /// The origin answers one of the loads that wait for it.
    case answer(Int, Answer)
  }

  /// What the origin says.
  enum Answer: Equatable, Sendable {
    /// A value of its own.
    case value
    /// That it has none.
    case miss
    /// That something broke.
    case failure
  }

  /// What is done, in order.
  var steps: [Step]
  /// For how long, in milliseconds, a value is fresh, stale while a refresh runs, stale on error,
  /// and a load may take.
  var times: [Int]
  /// What the origin says at once, if it does.
  var quick: Answer?

  /// A program at random.
  static func random(using random: inout SeededGenerator) -> RefreshProgram {
    let times = [0...4, 0...4, 0...6, 2...6].map { Int.random(in: $0, using: &random) }
    let quick: [Answer?] = [nil, nil, nil, .value, .failure]
    let count = Int.random(in: 1...20, using: &random)
    return RefreshProgram(
      steps: (0..<count).map { _ in .random(using: &random) }, times: times,
      quick: quick.randomElement(using: &random) ?? nil)
  }

  var freshness: Freshness {
    Freshness(
      for: .milliseconds(times[0]), staleWhileRevalidate: .milliseconds(times[1]),
      staleIfError: .milliseconds(times[2]), timeout: .milliseconds(times[3]))
  }

  /// Half of the steps, or one step less.
  var simpler: [RefreshProgram] {
    var all: [RefreshProgram] = []
    func add(_ steps: [Step]) {
      all.append(RefreshProgram(steps: steps, times: times, quick: quick))
    }
    if steps.count > 3 {
      add(Array(steps.prefix(steps.count / 2)))
      add(Array(steps.suffix(steps.count / 2)))
    }
    for place in steps.indices {
      var fewer = steps
      fewer.remove(at: place)
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
      "the origin says " + (quick.map { "\($0) at once" } ?? "what it is told to"),
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
      let answers: [RefreshProgram.Answer] = [.value, .value, .failure, .failure, .miss]
      return .answer(
        Int.random(in: 0..<3, using: &random), answers.randomElement(using: &random) ?? .value)
    }
  }
}
