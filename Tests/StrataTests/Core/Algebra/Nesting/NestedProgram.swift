import StrataLaws

@testable import StrataCore
@testable import StrataVerbs

/// A random program of operations on a nested sum, and the behavior of its levels.
struct NestedProgram: CustomStringConvertible, Sendable {
  enum Step: Hashable, Sendable {
    case get(Int)
    case set(Int, Int)
    case remove(Int)
    case clear
    /// Advances the clock, in milliseconds.
    case wait(Int)
    /// A level forgets a key.
    case forget(level: Int, Int)
    /// Cancels the last operation.
    case cancel

    var isOperation: Bool {
      switch self {
      case .wait, .forget, .cancel: false
      default: true
      }
    }

    func writes(_ key: Int) -> Bool {
      switch self {
      case .set(key, _), .remove(key), .clear: true
      default: false
      }
    }
  }

  static let keys = 0..<4
  /// When an operation begins.
  enum Pace: Sendable {
    /// Immediately, while others are in flight.
    case together
    /// After the one before has ended. Its late writes may still be in flight.
    case alone
    /// Half a minute after the one before has begun.
    case slow

    /// The delay of the levels' spells, compared with the other paces.
    var factor: Int { self == .slow ? 10 : 1 }
  }

  var scripts: [FickleLevel.Script]
  var pace: Pace
  var expression: NestedExpression
  var steps: [Step]

  static func random(
    _ verbs: [NestedVerb], _ pace: Pace, using random: inout SeededGenerator
  ) -> NestedProgram {
    let levels = Int.random(in: 2...4, using: &random)
    var value = 100
    let steps = (0..<Int.random(in: 3...16, using: &random)).map { _ -> Step in
      let key = Int.random(in: 0..<2, using: &random)
      value += 10
      switch Int.random(in: 0..<20, using: &random) {
      case 0..<7: return .get(key)
      case 7..<12: return .set(key, value)
      case 12..<14: return .remove(key)
      case 14: return .clear
      case 15: return .forget(level: Int.random(in: 0..<levels, using: &random), key)
      case 16 where pace == .together: return .cancel
      default: return .wait([1, 300, 1_000, 5_000, 7_000].randomElement(using: &random) ?? 1)
      }
    }
    return NestedProgram(
      scripts: (0..<levels).map { _ in .random(pace, using: &random) },
      pace: pace,
      expression: .random(0..<levels, verbs, using: &random), steps: steps)
  }

  var description: String {
    "\(expression): " + steps.map { "\($0)" }.joined(separator: ", ") + "\n"
      + scripts.enumerated().map { "  \("abcdef".dropFirst($0).prefix(1)): \($1)" }
      .joined(separator: "\n")
  }

  /// The shortest program of the same kind for which `isWrong` is true.
  func shrunk(_ isWrong: (NestedProgram) -> Bool) -> NestedProgram {
    var best = self
    while let next = best.simpler.first(where: isWrong) { best = next }
    return best
  }

  private var simpler: [NestedProgram] {
    var all: [NestedProgram] = []
    func add(_ change: (inout NestedProgram) -> Void) {
      var copy = self
      change(&copy)
      all.append(copy)
    }
    for place in steps.indices { add { $0.steps.remove(at: place) } }
    for level in scripts.indices {
      for place in scripts[level].spells.indices {
        add { $0.scripts[level].spells.remove(at: place) }
      }
      for key in scripts[level].lacks.sorted() { add { $0.scripts[level].lacks.remove(key) } }
      if !scripts[level].keepsOrder { add { $0.scripts[level].keepsOrder = true } }
      if scripts[level].bound != nil { add { $0.scripts[level].bound = nil } }
    }
    for expression in expression.simpler { add { $0.expression = expression } }
    return all
  }
}

extension FickleLevel.Script {
  fileprivate static func random(
    _ pace: NestedProgram.Pace, using random: inout SeededGenerator
  ) -> FickleLevel.Script {
    var script = FickleLevel.Script()
    for key in NestedProgram.keys where Bool.random(using: &random) { script.lacks.insert(key) }
    // A get waits for a back-fill of a nested sum, and not for one of a flat sum.
    script.keepsOrder = pace == .alone || Bool.random(using: &random)
    script.bound = random.chance(of: 4) ? Int.random(in: 1...8, using: &random) * 1_000 : nil
    // A back-fill of a nested sum is a write: it also reaches a level that has just hung, and if it
    // fails, its key is hidden. And when a sum repairs a level depends on the other levels. In
    // programs whose outcomes are compared, the operations of a level therefore have one fate.
    let kinds = pace == .together ? 0..<4 : random.chance(of: 2) ? 0..<1 : 3..<4
    let fates = FickleLevel.Fate.allCases.filter { fate in
      switch fate {
      case .blocking: pace == .together
      case .immediate, .failing: true
      default: pace != .alone || kinds.contains(0)
      }
    }
    let only = pace == .together ? nil : fates.randomElement(using: &random)
    for _ in 0..<Int.random(in: 0...3, using: &random) {
      let begin = Int.random(in: 0..<20_000, using: &random) * pace.factor
      let kind = kinds.randomElement(using: &random) ?? 0
      script.spells.append(
        FickleLevel.Spell(
          begin: random.chance(of: 2) ? 1 : begin + 1,
          end: begin + Int.random(in: 1...20_000, using: &random) * pace.factor,
          key: random.chance(of: 3) ? nil : Int.random(in: 0..<2, using: &random),
          gets: kind < 2, writes: kind > 0,
          fate: only ?? fates.randomElement(using: &random) ?? .immediate))
    }
    return script
  }
}
