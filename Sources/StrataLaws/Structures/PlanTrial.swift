import Strata

/// Some plans that are no sums themselves, the upper-most first.
struct PlanTrial: Trial {
  var members: [CachePlan]

  init(_ random: inout SeededGenerator) {
    members = (0..<Int.random(in: 1...4, using: &random)).map { _ in
      Self.member(&random, depth: 3)
    }
  }

  /// The members as one plan, in the form that the operators build.
  var plan: CachePlan { members.count == 1 ? members[0] : .sum(members) }

  /// From where the brackets are closed.
  enum Side { case left, right }

  /// The members as sums of two, with brackets that the operators would have opened.
  func bracketed(from side: Side) -> CachePlan {
    let (first, rest) = (members[0], members.dropFirst())
    guard let last = members.last, !rest.isEmpty else { return .sum([first]) }
    return switch side {
    case .left: rest.reduce(first) { .sum([$0, $1]) }
    case .right: members.dropLast().reversed().reduce(last) { .sum([$1, $0]) }
    }
  }

  var simpler: [PlanTrial] {
    members.indices.flatMap { place -> [PlanTrial] in
      var trials: [PlanTrial] = []
      if members.count > 1 {
        var fewer = self
        fewer.members.remove(at: place)
        trials.append(fewer)
      }
      if let inner = members[place].operand {
        var plainer = self
        plainer.members[place] = inner
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
      return .mappedValues(inner(&random), label: pick(["json", "a >>> b"], &random), types: types)
    case 2: return .verb(inner(&random), name: "pooled", types: types)
    case 3:
      let (name, arguments) = (pick(["named", "novel"], &random), pick(["", "\"a<b>\""], &random))
      return .verb(inner(&random), name: name, arguments: arguments, types: types)
    case 4: return .lanes([inner(&random), inner(&random)])
    case 5:
      let sum = CachePlan.sum([inner(&random), inner(&random)])
      return .verb(sum, name: "expiring", arguments: "after: 60 s", types: types)
    default: return level(&random, types)
    }
  }

  private static func level(
    _ random: inout SeededGenerator, _ types: CachePlan.Types
  ) -> CachePlan {
    .level(
      pick(["memory", "disk", "network", "my \"level\"\n&"], &random),
      detail: pick([nil, "1000", "100 MB"], &random), types: types)
  }

  private static func pick<Element>(
    _ choices: [Element], _ random: inout SeededGenerator
  ) -> Element {
    choices[Int.random(in: choices.indices, using: &random)]
  }
}

extension CachePlan {
  /// The levels as they are written, from left to right.
  var levelCaptions: [String] {
    switch self {
    case .level: [description]
    case .sum(let parts), .lanes(let parts): parts.flatMap(\.levelCaptions)
    case .mappedKeys(let plan, _, _), .mappedValues(let plan, _, _), .verb(let plan, _, _, _):
      plan.levelCaptions
    }
  }

  /// What a map or a verb is about, unless that is a sum.
  fileprivate var operand: CachePlan? {
    switch self {
    case .mappedKeys(let plan, _, _), .mappedValues(let plan, _, _), .verb(let plan, _, _, _):
      if case .sum = plan { nil } else { plan }
    case .lanes(let lanes): lanes.first
    case .level, .sum: nil
    }
  }
}
