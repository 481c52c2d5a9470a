/// A node of a plan, where it stands, and what stands around it and above it.
struct PlanPlace: Sendable {
  let plan: CachePlan
  /// Which child to take at each node from the root on.
  let path: [Int]
  /// How long a value lives at most, by the verbs around this node; `nil` for ever.
  var lifetime: Duration?
  /// Whether a verb around it limits that by a rule that the plan does not show.
  var isLifetimeUnknown = false
  /// Whether a verb around it makes one load of many gets.
  var isPooled = false
  /// Whether a memory level is asked before it.
  var isBeneathMemory = false
}

extension CachePlan {
  /// Every node, from the root down and from left to right.
  var places: [PlanPlace] {
    var places: [PlanPlace] = []
    var open = [PlanPlace(plan: self, path: [])]
    while let place = open.popLast() {
      places.append(place)
      var next: [PlanPlace] = []
      var isBeneathMemory = place.isBeneathMemory
      for (index, part) in place.plan.children.enumerated() {
        next.append(
          PlanPlace(
            plan: part, path: place.path + [index],
            lifetime: least(place.lifetime, place.plan.lifetime),
            isLifetimeUnknown: place.isLifetimeUnknown || place.plan.isLifetimeUnknown,
            isPooled: place.isPooled || place.plan.pools, isBeneathMemory: isBeneathMemory))
        guard case .sum = place.plan else { continue }
        isBeneathMemory = isBeneathMemory || part.levels.contains(where: CachePlan.isMemory)
      }
      open += next.reversed()
    }
    return places
  }

  /// The names of the levels, from left to right.
  var levels: [String] {
    fold { plan, parts in
      guard case .level(let name, _, _) = plan else { return parts.flatMap { $0 } }
      return [name]
    }
  }

  /// Whether this node makes one load of the gets of one key that overlap.
  var pools: Bool { isVerb("pooled", "refreshing", "batching") }

  /// Whether this is one of the verbs that are called so.
  func isVerb(_ names: String...) -> Bool {
    guard case .verb(_, let name, _, _) = self else { return false }
    return names.contains(name)
  }

  /// Whether this node limits how long a value lives without saying to how long.
  var isLifetimeUnknown: Bool {
    isVerb("expiring", "maxAge", "refreshing") && lifetime == nil
  }

  /// How long this node lets a value live; `nil` if it does not limit that, or does not say.
  var lifetime: Duration? {
    guard case .verb(_, _, let arguments, _) = self, isVerb("expiring", "maxAge", "refreshing")
    else { return nil }
    let first = arguments.split(separator: ",")[...].first ?? ""
    return Duration(exactly: first.hasPrefix("after: ") ? first.dropFirst(7) : first)
  }

  /// Whether a level of this name answers and stores nothing.
  static func isSource(_ name: String) -> Bool {
    isRemote(name) || ["constant", "failing", "empty"].contains(name)
  }

  /// Whether a level of this name may take its time, so that loading one value twice is a waste.
  static func isRemote(_ name: String) -> Bool { name == "network" || name == "fetcher" }

  /// Whether a level of this name has values at hand as they are.
  static func isMemory(_ name: String) -> Bool { name == "memory" || name == "dictionary" }
}

/// The lesser of two bounds, of which either may be missing.
func least(_ one: Duration?, _ other: Duration?) -> Duration? {
  guard let one, let other else { return one ?? other }
  return min(one, other)
}
