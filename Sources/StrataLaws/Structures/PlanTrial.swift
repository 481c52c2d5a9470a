import StrataVerbs

/// A random list of plans, which are the members of a sum. No member is itself a sum.
struct PlanTrial: Trial {
  var members: [CachePlan]

  init(_ random: inout SeededGenerator) {
    members = (0..<Int.random(in: 1...4, using: &random)).map { _ in
      Self.member(&random, depth: 3)
    }
  }

  /// The members as one plan.
  var plan: CachePlan { .sum(members) }

  /// The end of the list at which `bracketed(from:by:)` starts to add the members: the first member
  /// (`left`) or the last member (`right`).
  enum Side { case left, right }

  /// Returns the plan of the sum of all members, which are added one by one.
  func bracketed(from side: Side, by sum: Laws.Summing) -> CachePlan {
    let (first, rest) = (members[0], members.dropFirst())
    guard let last = members.last, !rest.isEmpty else { return sum([first]) }
    return switch side {
    case .left: rest.reduce(first) { sum([$0, $1]) }
    case .right: members.dropLast().reversed().reduce(last) { sum([$1, $0]) }
    }
  }

  var simpler: [PlanTrial] {
    members.indices.flatMap { index -> [PlanTrial] in
      var trials: [PlanTrial] = []
      if members.count > 1 {
        var fewer = self
        fewer.members.remove(at: index)
        trials.append(fewer)
      }
      if let inner = members[index].children.first, inner.form != .sum {
        var plainer = self
        plainer.members[index] = inner
        trials.append(plainer)
      }
      return trials
    }
  }

  var size: Int { members.count }
  var lines: [String] { members.map(\.description) }

  private static func member(_ random: inout SeededGenerator, depth: Int) -> CachePlan {
    let types = CachePlan.Types(key: pick(["URL", "Int"], &random), value: "Array<String>")
    guard depth > 0 else { return level(&random, types) }
    let inner = { (random: inout SeededGenerator) in member(&random, depth: depth - 1) }
    switch Int.random(in: 0..<8, using: &random) {
    case 0: return .mappedKeys(inner(&random), types: types)
    case 1:
      let decodes = pick([true, false], &random)
      return .mappedValues(
        inner(&random), label: decodes ? "json" : "a >>> b", decodes: decodes, types: types)
    case 2: return .verb(inner(&random), "pooled", types: types)
    case 3:
      return .verb(
        inner(&random), CachePlan.Kind(pick(["named", "novel"], &random)), arguments(&random),
        types: types)
    case 4: return .branches("switching", [inner(&random), inner(&random)])
    case 5:
      let sum = CachePlan.sum([inner(&random), inner(&random)])
      return .verb(sum, "expiring", ["after": .duration(.seconds(60))], types: types)
    default: return level(&random, types)
    }
  }

  private static func level(
    _ random: inout SeededGenerator, _ types: CachePlan.Types
  ) -> CachePlan {
    let (name, role) = pick(levels, &random)
    let arguments: [CachePlan.Arguments] = [
      [:], [nil: .count(1000)], [nil: .bytes(100_000_000)],
    ]
    return .level(name, role, pick(arguments, &random), types: types)
  }

  /// The kinds of levels, each with a fixed role. The text of a plan doesn't show the role, so if a
  /// kind had two roles, two unequal plans could have the same text.
  private static let levels: [(CachePlan.Kind, CachePlan.Role)] = [
    ("memory", .memory), ("disk", .storage), ("network", .origin), ("my \"level\"\n&", .constant),
  ]

  /// Returns up to two random arguments of random types.
  private static func arguments(_ random: inout SeededGenerator) -> CachePlan.Arguments {
    let values: [CachePlan.Value] = [
      .count(1000), .count(.min), .bytes(100_000_000), .bytes(.max), .fraction(0.1),
      .fraction(1e-300), .duration(.seconds(60)), .duration(.milliseconds(-1_500)),
      .duration(.nanoseconds(1) / 1000), .date(.init(sinceEpoch: .nanoseconds(Int64.max))),
      .text("a<b>\"&\n"), .name("each"), .plan(level(&random, .init(key: "K", value: "V"))),
    ]
    return CachePlan.Arguments(
      (0..<Int.random(in: 0...2, using: &random)).map { _ in
        CachePlan.Argument(label: pick([nil, "after"], &random), value: pick(values, &random))
      })
  }

  private static func pick<Element>(
    _ choices: [Element], _ random: inout SeededGenerator
  ) -> Element {
    choices[Int.random(in: choices.indices, using: &random)]
  }
}

extension CachePlan {
  /// The text of each level in the plan, from left to right.
  var levelCaptions: [String] {
    fold { plan, parts in parts.isEmpty ? [plan.description] : parts.flatMap { $0 } }
  }
}
