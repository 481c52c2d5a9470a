import StrataVerbs

/// A node of a plan, with its path and with the properties that depend on the nodes above it.
struct PlanContext: Sendable {
  fileprivate(set) var plan: CachePlan
  /// The path from the root of the plan to the node. Its elements are indices of child nodes.
  fileprivate(set) var path: [Int]
  /// The index of the node in preorder.
  var index = 0
  /// The index of the node above, or `nil` for the root.
  fileprivate(set) var parent: Int?
  /// The longest lifetime that the verbs above this node allow for values, or `nil` if no limit is
  /// known.
  var lifetime: Duration?
  /// Whether a verb above this node limits the lifetime to a duration that the plan doesn't state.
  var isLifetimeUnknown = false
  /// Whether a verb above this node shares one load among all concurrent gets of a key.
  var isPooled = false
  /// Whether a get looks up its key in a memory level before it reaches this node.
  var isBelowMemory = false

  /// The role of the level at this node, or `nil` if this node isn't a level.
  var role: CachePlan.Role? { plan.role }

  /// Whether this node is a level that stores values.
  var stores: Bool { role?.stores ?? false }

  /// The lifetime of a value at this node, or `nil` if the plan doesn't contain it. When no verb
  /// limits the lifetime, it's the maximum duration.
  var knownLifetime: Duration? {
    isLifetimeUnknown ? nil : lifetime ?? .seconds(Int64.max)
  }
}

extension PlanContext {
  /// This context and the contexts of all nodes below it in preorder, from left to right.
  ///
  /// - Complexity: O(n) in the number of nodes, without the paths.
  var contexts: [PlanContext] {
    var contexts: [PlanContext] = []
    var open = [self]
    while var context = open.popLast() {
      context.index = contexts.count
      contexts.append(context)
      let plan = context.plan
      var inner = context
      inner.parent = context.index
      inner.lifetime = least(context.lifetime, plan.lifetime)
      inner.isLifetimeUnknown = context.isLifetimeUnknown || plan.isLifetimeUnknown
      inner.isPooled = context.isPooled || plan.isVerb(.pooled, .refreshing, .bulkLoading)
      for (index, child) in plan.children.enumerated().reversed() {
        inner.plan = child
        inner.path = context.path + [index]
        open.append(inner)
      }
    }
    return contexts.belowMemory
  }

  /// The contexts of the plans in the arguments. Gets of this node share the loads of these plans.
  var arguments: [PlanContext] {
    plan.arguments.plans.enumerated().map { index, argument in
      PlanContext(plan: argument, path: path + [plan.children.count + index], isPooled: true)
    }
  }
}

extension CachePlan {
  /// The contexts of all nodes in preorder, from left to right.
  var contexts: [PlanContext] { PlanContext(plan: self, path: []).contexts }

  /// The levels of this plan, from left to right.
  var levels: [CachePlan] {
    fold { plan, parts in plan.role == nil ? parts.flatMap { $0 } : [plan] }
  }

  /// The role of the level, or `nil` if this node isn't a level.
  var role: Role? {
    if case .level(let role) = form { role } else { nil }
  }

  /// Whether this node is a verb of one of the given kinds.
  func isVerb(_ kinds: Kind...) -> Bool { form == .verb && kinds.contains(kind) }

  /// Whether this node limits the lifetime of values.
  private var limitsLifetime: Bool { isVerb(.expiring, .aged, .refreshing) }

  /// Whether this node limits the lifetime of values to a duration that the plan doesn't state.
  var isLifetimeUnknown: Bool { limitsLifetime && lifetime == nil }

  /// The duration to which this node limits the lifetime of values, or `nil` if the plan doesn't
  /// contain such a limit.
  var lifetime: Duration? {
    guard limitsLifetime,
      case .duration(let lifetime)? = arguments["after"] ?? arguments["atMost"] ?? arguments[nil]
    else { return nil }
    return lifetime
  }

  /// The capacity of the level, or `nil` if the plan doesn't contain one.
  var capacity: (count: Int, isBytes: Bool)? {
    switch arguments[nil] {
    case .count(let count): (count, false)
    case .bytes(let count): (count, true)
    default: nil
    }
  }

  /// Whether every level of this plan is an origin or a constant.
  var storesNothing: Bool { levels.allSatisfy { $0.role?.stores == false } }
}

extension [PlanContext] {
  /// These contexts, which are in preorder, with `isBelowMemory` set to `true` for each node of a
  /// sum that comes after a member with a memory level.
  fileprivate var belowMemory: [PlanContext] {
    var (contexts, hasMemory) = (self, map { $0.role == .memory })
    for context in reversed() where hasMemory[context.index] {
      if let parent = context.parent { hasMemory[parent] = true }
    }
    var isNextBelow = [Bool](repeating: false, count: count)  // For each node's next child.
    for context in self {
      let isBelow = context.parent.map { isNextBelow[$0] } ?? false
      contexts[context.index].isBelowMemory = isBelow
      isNextBelow[context.index] = isBelow
      if let parent = context.parent, self[parent].plan.form == .sum, hasMemory[context.index] {
        isNextBelow[parent] = true
      }
    }
    return contexts
  }
}

/// Returns the smaller of two bounds. A missing bound is `nil`.
private func least(_ one: Duration?, _ other: Duration?) -> Duration? {
  guard let one, let other else { return one ?? other }
  return min(one, other)
}
