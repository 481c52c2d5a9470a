import Strata

/// Advice about the decoding and the lifetime of values.
extension PlanLinter {
  /// Whether `context` is a codec whose parent node isn't a codec.
  func isOuterDecoding(_ context: PlanContext) -> Bool {
    context.plan.decodes && parent(of: context)?.plan.decodes != true
  }

  func decodedAtEveryHit(_ context: PlanContext) -> CachePlan.Advice? {
    guard isOuterDecoding(context),
      levels(context.path).contains(where: { $0.role == .memory && !$0.isBelowMemory })
    else { return nil }
    return remark(
      .decodedAtEveryHit, context, "each hit in memory decodes the value again",
      "Store decoded values in memory, and apply the codec to the levels below")
  }

  func unhealable(_ context: PlanContext) -> CachePlan.Advice? {
    guard isOuterDecoding(context), let sum = sum(in: context) else { return nil }
    let upper = sum.plan.children.dropLast()
    guard upper.contains(where: { !$0.storesNothing }) else { return nil }
    return remark(
      .unhealable, context,
      "if a record doesn't decode, the whole sum fails, and no back-fill replaces the record",
      "Apply the codec to each level: a <*> codec + b <*> codec")
  }

  /// Returns the first sum below `context`, or `nil` if a level or a branching node comes before
  /// the sum.
  private func sum(in context: PlanContext) -> PlanContext? {
    subtree(context.path).prefix { $0.plan.children.count == 1 || $0.plan.form == .sum }
      .first { $0.plan.form == .sum }
  }

  func restartedAge(_ context: PlanContext) -> CachePlan.Advice? {
    guard context.plan.form == .sum else { return nil }
    let stamping = context.plan.children.indices.filter { index in
      subtree(context.path + [index]).contains { $0.plan.isVerb(.expiring, .refreshing) }
    }
    guard stamping.count > 1 else { return nil }
    return remark(
      .restartedAge, context,
      "\(stamping.count) members stamp values, so a back-fill resets the age of a value to zero",
      "Apply the verb to the sum instead of its members: (a + b).expiring(…)")
  }

  func upperOutlivesLower(_ context: PlanContext) -> CachePlan.Advice? {
    guard context.plan.form == .sum else { return nil }
    var above: (index: Int, lifetime: Duration)?
    for index in context.plan.children.indices {
      let lifetimes = levels(context.path + [index]).filter(\.stores).map(\.knownLifetime)
      guard let longest = lifetimes.compactMap({ $0 }).max(), !lifetimes.contains(nil) else {
        continue
      }
      if let above, above.lifetime > longest {
        let member = context.plan.children[above.index]
        return remark(
          .upperOutlivesLower, context,
          "\(member) still returns values that have expired in the level below",
          "Shorten the lifetime in the upper level, or apply one lifetime to the sum")
      }
      if above.map({ longest >= $0.lifetime }) ?? true { above = (index, longest) }
    }
    return nil
  }
}

extension CachePlan {
  /// Whether this node decodes values, which means that it maps them with a function that can fail.
  fileprivate var decodes: Bool { form == .mappedValues(decodes: true) }
}
