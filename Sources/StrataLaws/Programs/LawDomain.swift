/// Settings for random programs and scripted levels, such as the maximum number of steps. There are
/// only a few keys and values, so operations often affect each other.
///
/// Programs always have at least one level, key, value, client, and step.
public struct LawDomain: Sendable {
  /// The number of scripted levels.
  public var levels = 3
  /// The keys of programs.
  package var keys = 0..<3
  /// The keys that levels may initially contain. If a law maps keys, the range is wider than
  /// `keys`, because it also contains the keys to which they're mapped.
  package var stored = 0..<3
  /// The values that programs store and that levels may initially contain.
  package var values = 0..<4
  /// The maximum number of steps.
  package var steps = 14
  /// The maximum number of clients.
  package var clients = 2
  /// Whether programs cancel operations.
  public var cancels = true
  /// Whether programs set, remove, and clear values, and send memory warnings.
  public var writes = true
  /// Whether levels inject faults: failures, misses, cancellations, and gets that never settle.
  public var injectsFaults = true
  /// Whether writes may fail. After a failed write, a sum removes the key, but a single level
  /// doesn't.
  public var failsWrites = true
  /// Whether levels may delay writes.
  package var slowsWrites = true
  /// Whether each operation settles before the next step begins.
  public var isSequential = false
  /// Whether each `set` call stores a distinct value that no level initially contains.
  package var hasDistinctValues = false
  /// Whether the last level has slow gets, which writes often overtake.
  package var hasSlowGets = false
  /// Whether the last level contains every key, and has slow gets, which writes often overtake.
  package var hasSlowOrigin = false
  /// Whether levels may delay the effect of writes. A delayed write takes effect only when it
  /// settles: after one to six milliseconds, or when a step of the program settles it. But a write
  /// that is too old by then fails instead. See `LevelScript.failingAge`.
  package var hangs = false
  /// Whether `hangs` delays only the `set` and `remove` calls for key 0. By default, it delays all
  /// writes.
  package var hangsInOneKey = false
  /// Whether each program ends with two gets of key 0. Before each of the two, all levels settle
  /// their pending operations.
  package var endsAtRest = false
  /// Whether a program reads each key at most once.
  package var asksOnce = false

  /// Creates the domain that most laws use.
  public init() {}

  /// A copy of this domain from which random programs can be drawn. It allows at least one level,
  /// client, step, key, and value, and at most 100 levels.
  var drawable: LawDomain {
    with {
      $0.levels = min(max(1, levels), 100)
      $0.clients = max(1, clients)
      $0.steps = max(1, steps)
      if keys.isEmpty { $0.keys = 0..<1 }
      if values.isEmpty { $0.values = 0..<1 }
    }
  }

  /// Returns a changed copy of the domain.
  func with(_ change: (inout LawDomain) -> Void) -> LawDomain {
    var domain = self
    change(&domain)
    return domain
  }
}

extension Step {
  /// Returns a random step. About half of all steps are `get` or `set` steps.
  static func random(_ domain: LawDomain, number: Int, using random: inout SeededGenerator) -> Step
  {
    let client = Int.random(in: 0..<domain.clients, using: &random)
    return Step(action(domain, number: number, using: &random), client: client)
  }

  private static func action(
    _ domain: LawDomain, number: Int, using random: inout SeededGenerator
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
