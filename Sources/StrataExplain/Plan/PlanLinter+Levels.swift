import Strata

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

  func unreachable(_ context: PlanContext) -> CachePlan.Advice? {
    guard let (sum, index) = member(context), !context.plan.storesNothing else { return nil }
    for above in 0..<index {
      let upper = sum.plan.children[above]
      if upper.storesNothing {
        return remark(
          .unreachable, context,
          "only a miss in \(upper) reaches this level, and back-fills reach only the levels above",
          "Put this level above \(upper), or fill this level with writes")
      }
      if chain(sum.path + [above]).contains(where: { $0.plan.isVerb(.recovering) }) {
        return remark(
          .unreachable, context,
          "\(upper) recovers before this level is read, unless the recovery function throws",
          "Let the sum recover instead of a member: (a + b).recovering { … }")
      }
      if isCovered(context, by: sum.path + [above]) {
        return remark(
          .unreachable, context, "\(upper) is read first and can hold every value of this level",
          "Give the lower level a larger capacity, or remove the lower level")
      }
    }
    return nil
  }

  /// Returns the sum whose members include `context`, and the index of `context` in that sum.
  private func member(_ context: PlanContext) -> (sum: PlanContext, index: Int)? {
    guard let index = context.path.last, let sum = parent(of: context), sum.plan.form == .sum
    else { return nil }
    return (sum, index)
  }

  /// Returns the node at a path, its only child, that child's only child, and so on. The result
  /// ends with the first node that has no children or several children.
  private func chain(_ path: [Int]) -> [PlanContext] {
    let nodes = subtree(path)
    let length = nodes.firstIndex { $0.plan.children.count != 1 } ?? nodes.count - 1
    return Array(nodes[...length])
  }

  /// Whether the upper level can hold every value of the lower level. The upper level must be of
  /// the same kind as the lower level, and must have at least the same capacity and lifetime.
  private func isCovered(_ context: PlanContext, by upper: [Int]) -> Bool {
    let (above, below) = (chain(upper), chain(context.path))
    guard let upper = above.last, let lower = below.last, upper.stores, lower.role != nil,
      upper.plan.kind == lower.plan.kind,
      !above.contains(where: { $0.plan.isVerb(.conditioned, .skipping) }),
      let room = upper.plan.capacity, let need = lower.plan.capacity,
      let long = upper.knownLifetime, let short = lower.knownLifetime
    else { return false }
    return room.isBytes == need.isBytes && room.count >= need.count && long >= short
  }
}
