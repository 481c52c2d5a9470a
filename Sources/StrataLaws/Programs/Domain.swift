/// What programs, and the levels they run over, are drawn from: small, so that operations collide.
///
/// There is always one level, key, value, client and step at least.
public struct Domain: Sendable {
  /// How many scripted levels there are.
  public var levels = 3
  /// The keys of programs.
  public var keys = 0..<3
  /// The keys that levels are warmed with: more than `keys` where keys are mapped.
  public var stored = 0..<3
  /// The values of programs and levels.
  public var values = 0..<4
  /// The most steps of a program.
  public var steps = 14
  /// The most clients of a program.
  public var clients = 2
  /// Whether programs cancel: what has to wait longer can be cancelled longer.
  public var cancels = true
  /// Whether programs set, remove, clear and warn.
  public var writes = true
  /// Whether levels fail, miss, cancel and keep silent; otherwise they are only slow.
  public var isTroubled = true
  /// Whether each program is about one operation at a time: all comes to rest after each step.
  public var isSequential = false
  /// Whether no two sets of a program store the same value, and none what a level began with.
  public var hasDistinctValues = false
  /// Whether the lowest level holds every key and is slow to say so, so that gets are overtaken.
  public var hasSlowOrigin = false
  /// Whether a program asks for each key once at most.
  public var asksOnce = false

  /// The domain that most laws are about.
  public init() {}

  /// The domain with at least one of each of what is drawn.
  var drawable: Domain {
    with {
      $0.levels = max(1, levels)
      $0.clients = max(1, clients)
      $0.steps = max(1, steps)
      if keys.isEmpty { $0.keys = 0..<1 }
      if values.isEmpty { $0.values = 0..<1 }
    }
  }

  /// The domain after a change.
  func with(_ change: (inout Domain) -> Void) -> Domain {
    var domain = self
    change(&domain)
    return domain
  }
}

extension Step {
  /// A step at random: half are gets and sets.
  static func random(_ domain: Domain, number: Int, using random: inout SeededGenerator) -> Step {
    let client = Int.random(in: 0..<domain.clients, using: &random)
    return Step(action(domain, number: number, using: &random), client: client)
  }

  private static func action(
    _ domain: Domain, number: Int, using random: inout SeededGenerator
  ) -> Action {
    let key = Int.random(in: domain.keys, using: &random)
    let value = Int.random(in: domain.values, using: &random)
    switch Int.random(in: 0..<22, using: &random) {
    case 0..<6: return .get(key)
    case 6..<10 where domain.writes:
      return .set(key, domain.hasDistinctValues ? domain.values.upperBound + number : value)
    case 10 where domain.writes, 11 where domain.writes: return .remove(key)
    case 12 where domain.writes, 21 where domain.writes: return .clear
    case 13 where domain.writes: return .warn
    case 14 where domain.cancels, 15 where domain.cancels:
      return .cancel(Int.random(in: 0..<4, using: &random))
    case 20: return .advance(Int.random(in: 1...4, using: &random))
    default:
      let level = Int.random(in: 0..<domain.levels, using: &random)
      return .settle(level: level, Int.random(in: 0..<4, using: &random))
    }
  }
}
