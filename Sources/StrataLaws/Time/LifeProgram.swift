import StrataVerbs

/// A random program for the laws of expiry. It uses two levels of stamped values and a manual
/// clock. Each step that stores a value stores the number of the step.
struct LifeProgram: Trial, Equatable {
  /// An action of the program.
  enum Step: Equatable, Sendable {
    /// Gets a value from the cache under test.
    case get(Int)
    /// Stores a value through the cache.
    case set(Int)
    /// Removes a value through the cache.
    case remove(Int)
    /// Removes all values through the cache.
    case clear
    /// Moves the clock forward by a number of milliseconds.
    case advance(Int)
    /// Removes an entry from a level, which simulates an eviction.
    case lose(level: Int, Int)
    /// Stores an entry in a level, with an age and a remaining lifetime in milliseconds.
    case put(level: Int, Int, age: Int, lifetime: Int?)
  }

  /// The actions in order.
  var steps: [Step]
  /// The lifetime of values in milliseconds.
  var lifetime: Int
  /// The age limits of the levels in milliseconds.
  var bounds: [Int]

  /// Returns a random program. When `isClosed` is `true`, values reach the levels only through the
  /// cache under test.
  static func random(
    isClosed: Bool, using random: inout SeededGenerator
  ) -> LifeProgram {
    let count = Int.random(in: 1...16, using: &random)
    return LifeProgram(
      steps: (0..<count).map { _ in .random(isClosed: isClosed, using: &random) },
      lifetime: Int.random(in: -1...6, using: &random),
      bounds: (0..<2).map { _ in Int.random(in: -1...6, using: &random) })
  }

  /// Shorter programs, each with half of the steps or with one step removed.
  var simpler: [LifeProgram] {
    var all: [LifeProgram] = []
    func add(_ change: (inout LifeProgram) -> Void) {
      var program = self
      change(&program)
      if program != self { all.append(program) }
    }
    if steps.count > 3 {
      add { $0.steps = Array(steps.prefix(steps.count / 2)) }
      add { $0.steps = Array(steps.suffix(steps.count / 2)) }
    }
    for index in steps.indices { add { $0.steps.remove(at: index) } }
    return all
  }

  /// The number of steps.
  var size: Int { steps.count }

  /// The times and the steps.
  var lines: [String] {
    ["a lifetime of \(lifetime) ms, bounds of \(bounds) ms"]
      + steps.enumerated().map { "\($0 + 1). \($1)" }
  }
}

extension LifeProgram.Step {
  fileprivate static func random(
    isClosed: Bool, using random: inout SeededGenerator
  ) -> Self {
    let (key, level) = (
      Int.random(in: 0..<2, using: &random), Int.random(in: 0..<2, using: &random)
    )
    switch Int.random(in: 0..<14, using: &random) {
    case 0..<4: return .get(key)
    case 4..<7: return .set(key)
    case 7: return .remove(key)
    case 8: return Bool.random(using: &random) ? .clear : .get(key)
    case 9..<12: return .advance(Int.random(in: 1...4, using: &random))
    case 12 where !isClosed:
      let (age, lifetime) = (
        Int.random(in: 0...4, using: &random), Int.random(in: -1...8, using: &random)
      )
      return .put(level: level, key, age: age, lifetime: lifetime > 6 ? nil : lifetime)
    default: return .lose(level: level, key)
    }
  }
}
