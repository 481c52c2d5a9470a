import StrataVerbs

/// Advice about the position of pools in a plan.
extension PlanLinter {
  func unpooledRemote(_ context: PlanContext) -> CachePlan.Advice? {
    guard context.role == .origin, !context.isPooled else { return nil }
    return remark(
      .unpooledRemote, context,
      "no pool is above this level, so each of several overlapping gets loads the key",
      "Write .pooled() around this level, or around all levels below memory")
  }

  func pooledMemory(_ context: PlanContext) -> CachePlan.Advice? {
    guard context.plan.isVerb(.pooled), let first = levels(context).first(where: { _ in true }),
      first.role == .memory, !first.isBelowMemory
    else { return nil }
    return remark(
      .pooledMemory, context, "the pool slows down each hit in memory",
      "Pool the levels below memory: memory + (…).pooled()")
  }

  func decodedOutsidePool(_ context: PlanContext) -> CachePlan.Advice? {
    guard isOuterDecoding(context),
      subtree(context).contains(where: { $0.plan.isVerb(.pooled) })
    else { return nil }
    return remark(
      .decodedOutsidePool, context,
      "the waiting gets of the pool share a load, but each get decodes the value",
      "Write the codec inside the pool: (… <*> codec).pooled()")
  }
}
