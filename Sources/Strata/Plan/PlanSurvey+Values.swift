import Foundation

/// Where values are decoded, and how long they live.
extension PlanSurvey {
  /// Whether here values are decoded, and not by a further codec of one that is around it.
  func isOuterDecoding(_ place: PlanPlace) -> Bool {
    guard place.plan.decodes else { return false }
    return parent(of: place)?.decodes != true
  }

  func decodedAtEveryHit(_ place: PlanPlace) -> CachePlan.Advice? {
    guard isOuterDecoding(place),
      levels(place.path).contains(where: {
        $0.level.map(CachePlan.isMemory) == true && !$0.isBeneathMemory
      })
    else { return nil }
    return remark(
      .decodedAtEveryHit, place, "a hit in memory is decoded anew each time",
      "Keep decoded values in memory, and write the codec at the levels beneath it")
  }

  func unhealable(_ place: PlanPlace) -> CachePlan.Advice? {
    guard isOuterDecoding(place), let sum = sum(in: place) else { return nil }
    let upper = sum.plan.children.indices.dropLast().contains { index in
      levels(sum.path + [index]).contains(where: \.stores)
    }
    guard upper else { return nil }
    return remark(
      .unhealable, place,
      "a record that does not decode fails the whole sum, is not passed, and is not replaced",
      "Write the codec at each level: a <*> codec + b <*> codec")
  }

  /// The sum that a place is about, through maps and verbs.
  private func sum(in place: PlanPlace) -> PlanPlace? {
    beneath(place.path).prefix { $0.plan.children.count == 1 || $0.plan.isSum }
      .first { $0.plan.isSum }
  }

  func restartedAge(_ place: PlanPlace) -> CachePlan.Advice? {
    guard place.plan.isSum else { return nil }
    let stamping = place.plan.children.indices.filter { index in
      beneath(place.path + [index]).contains { $0.plan.isVerb("expiring", "refreshing") }
    }
    guard stamping.count > 1 else { return nil }
    return remark(
      .restartedAge, place,
      "\(stamping.count) members each stamp an age, so that of a value begins anew when it is "
        + "promoted",
      "Sum the levels first, and then let the sum expire: (a + b).expiring(…)")
  }

  func upperOutlivesLower(_ place: PlanPlace) -> CachePlan.Advice? {
    guard place.plan.isSum else { return nil }
    var above: (index: Int, lifetime: Duration)?
    for index in place.plan.children.indices {
      let lifetimes = levels(place.path + [index]).filter(\.stores).map(\.knownLifetime)
      guard let longest = lifetimes.compactMap({ $0 }).max(), !lifetimes.contains(nil) else {
        continue
      }
      if let above, above.lifetime > longest {
        let member = place.plan.children[above.index]
        return remark(
          .upperOutlivesLower, place,
          "\(member) still answers with what has expired beneath it",
          "Let the upper level expire no later, or sum the two before they expire")
      }
      if above.map({ longest >= $0.lifetime }) ?? true { above = (index, longest) }
    }
    return nil
  }
}

extension CachePlan {
  /// Whether here is a sum.
  var isSum: Bool {
    if case .sum = self { true } else { false }
  }

  /// Whether here is a codec that does something, and so may fail; one that only takes a value out
  /// of what it came with is called `value`.
  var decodes: Bool {
    guard case .mappedValues(_, let label, _) = self else { return false }
    return label.components(separatedBy: " >>> ").contains { $0 != "identity" && $0 != "value" }
  }
}
