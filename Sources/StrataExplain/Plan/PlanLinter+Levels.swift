import StrataVerbs

/// Advice about levels without a capacity limit, and about levels that never return a value.
extension PlanLinter {
  func unbounded(_ context: PlanContext) -> CachePlan.Advice? {
    guard context.stores, context.plan.capacity?.count ?? .max >= 1 << 60 else { return nil }
    if case .name? = context.plan.arguments[nil] { return nil }
    return remark(
      .unbounded, context, "the plan contains no capacity",
      "Give the level a capacity, or check that other code limits the level's size")
  }

  func neverAnswering(_ context: PlanContext) -> CachePlan.Advice? {
    guard context.stores else { return nil }
    let isEmpty = context.plan.capacity?.count ?? 1 <= 0
    guard isEmpty || context.lifetime ?? .seconds(1) <= .zero else { return nil }
    return remark(
      .unreachable, context,
      isEmpty ? "the level has no room for a value" : "each value expires before its first get",
      "Give the level a capacity and a lifetime above zero, or remove the level")
  }

  /// A memory level with `following` stores only values that a Redis level with the same prefix has
  /// returned or stored. When the plan has no sum around this level, there is no advice, because
  /// the level may be the upper part of a larger pipeline.
  func unconfirmed(_ context: PlanContext) -> CachePlan.Advice? {
    guard context.plan.isVerb("following"), let prefix = context.plan.arguments["prefix"],
      let sum = sum(above: context)
    else { return nil }
    let below = contexts[subtrees[context.index].end..<subtrees[sum.index].end]
    let isConfirmed = below.contains { context in
      context.plan.kind == "redis" && context.plan.arguments["prefix"] == prefix
    }
    guard !isConfirmed else { return nil }
    return remark(
      .unreachable, context,
      "the level stores only values that a Redis level with the same prefix has returned or stored, "
        + "and no such level is below it",
      "Put .redis(server, prefix:) with the same server and the same prefix below the level")
  }

  /// Returns the highest sum above a node, or `nil` if the node isn't in a sum.
  private func sum(above context: PlanContext) -> PlanContext? {
    var (sum, next): (PlanContext?, PlanContext?) = (nil, parent(of: context))
    while let node = next {
      if node.plan.form == .sum { sum = node }
      next = parent(of: node)
    }
    return sum
  }

  /// Compares a level of a sum with each level above it. So a sum of n levels needs O(n²)
  /// comparisons of a few numbers.
  func unreachable(_ context: PlanContext) -> CachePlan.Advice? {
    guard subtrees[context.index].stores, let sum = parent(of: context), sum.plan.form == .sum
    else { return nil }
    var index = sum.index + 1
    while index < context.index {
      if let advice = unreachable(context, below: contexts[index]) { return advice }
      index = subtrees[index].end
    }
    return nil
  }

  private func unreachable(
    _ context: PlanContext, below upper: PlanContext
  ) -> CachePlan.Advice? {
    if !subtrees[upper.index].stores {
      return remark(
        .unreachable, context,
        "only a miss in \(upper.plan) reaches this level, and back-fills reach only the levels "
          + "above", "Put this level above \(upper.plan), or fill this level with writes")
    }
    if subtrees[upper.index].recovers {
      return remark(
        .unreachable, context,
        "\(upper.plan) recovers before this level is read, unless the recovery function throws",
        "Let the sum recover instead of a member: (a + b).recovering { … }")
    }
    if isCovered(context, by: upper) {
      return remark(
        .unreachable, context, "\(upper.plan) is read first and can hold every value of this level",
        "Give the lower level a larger capacity, or remove the lower level")
    }
    return nil
  }

  /// Whether the upper level can hold every value of the lower one. It can if both are of the same
  /// kind, and its capacity and its lifetime are at least as large.
  private func isCovered(_ context: PlanContext, by above: PlanContext) -> Bool {
    let upper = contexts[subtrees[above.index].last]
    let lower = contexts[subtrees[context.index].last]
    guard upper.stores, lower.role != nil, upper.plan.kind == lower.plan.kind,
      !subtrees[above.index].isConditional,
      let room = upper.plan.capacity, let need = lower.plan.capacity,
      let long = upper.knownLifetime, let short = lower.knownLifetime
    else { return false }
    return room.isBytes == need.isBytes && room.count >= need.count && long >= short
  }
}
