import StrataVerbs

/// Advice about the decoding and the lifetime of values.
extension PlanLinter {
  /// Whether `context` is a codec whose parent node isn't a codec.
  func isOuterDecoding(_ context: PlanContext) -> Bool {
    context.plan.decodes && parent(of: context)?.plan.decodes != true
  }

  func decodedAtEveryHit(_ context: PlanContext) -> CachePlan.Advice? {
    guard isOuterDecoding(context),
      levels(context).contains(where: { $0.role == .memory && !$0.isBelowMemory })
    else { return nil }
    return remark(
      .decodedAtEveryHit, context, "each hit in memory decodes the value again",
      "Store decoded values in memory, and apply the codec to the levels below")
  }

  func unhealable(_ context: PlanContext) -> CachePlan.Advice? {
    guard isOuterDecoding(context), let sum = sum(in: context) else { return nil }
    guard children(sum).dropLast().contains(where: { subtrees[$0.index].stores }) else {
      return nil
    }
    return remark(
      .unhealable, context,
      "if a record doesn't decode, the whole sum fails, and no back-fill replaces the record",
      "Apply the codec to each level: a <*> codec + b <*> codec")
  }

  /// Returns the first sum below `context`, or `nil` if a level or a branching node comes before
  /// it.
  private func sum(in context: PlanContext) -> PlanContext? {
    subtree(context).lazy.prefix { $0.plan.children.count == 1 || $0.plan.form == .sum }
      .first { $0.plan.form == .sum }
  }

  func restartedAge(_ context: PlanContext) -> CachePlan.Advice? {
    guard context.plan.form == .sum else { return nil }
    let stamping = children(context).filter { child in
      subtree(child).contains { $0.plan.isVerb(.expiring, .refreshing) }
    }
    guard stamping.count > 1 else { return nil }
    return remark(
      .restartedAge, context,
      "\(stamping.count) members stamp values, so a back-fill resets the age of a value to zero",
      "Apply the verb to the sum instead of its members: (a + b).expiring(…)")
  }

  func upperOutlivesLower(_ context: PlanContext) -> CachePlan.Advice? {
    guard context.plan.form == .sum else { return nil }
    var above: (member: CachePlan, lifetime: Duration)?
    for child in children(context) {
      let lifetimes = levels(child).filter(\.stores).map(\.knownLifetime)
      guard let longest = lifetimes.compactMap({ $0 }).max(), !lifetimes.contains(nil) else {
        continue
      }
      if let above, above.lifetime > longest {
        return remark(
          .upperOutlivesLower, context,
          "\(above.member) still returns values that have expired in the level below",
          "Shorten the lifetime in the upper level, or apply one lifetime to the sum")
      }
      above = (child.plan, longest)
    }
    return nil
  }
}

extension CachePlan {
  /// Whether this node decodes values: it maps them with a function that can fail.
  fileprivate var decodes: Bool { form == .mappedValues(decodes: true) }
}
