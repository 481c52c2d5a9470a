/// Where a pool stands, and where it should.
extension PlanSurvey {
  func unpooledRemote(_ place: PlanPlace) -> CachePlan.Advice? {
    guard let level = place.level, CachePlan.isRemote(level), !place.isPooled else { return nil }
    return remark(
      .unpooledRemote, place,
      "no pool stands above it, so gets of one key that overlap load it each",
      "Write .pooled() around it, or around the levels between it and memory")
  }

  func pooledMemory(_ place: PlanPlace) -> CachePlan.Advice? {
    guard place.plan.isVerb("pooled"),
      let first = places.first(where: { $0.path.starts(with: place.path) && $0.level != nil }),
      let level = first.level, CachePlan.isMemory(level), !first.isBeneathMemory
    else { return nil }
    return remark(
      .pooledMemory, place, "a hit in memory pays for the pool, which it does not need",
      "Pool what is beneath: memory + (…).pooled()")
  }

  func decodedOutsidePool(_ place: PlanPlace) -> CachePlan.Advice? {
    guard isOuterDecoding(place),
      beneath(place.path).contains(where: { $0.plan.isVerb("pooled") })
    else { return nil }
    return remark(
      .decodedOutsidePool, place,
      "those who wait in the pool share the load, and then each of them decodes it",
      "Write the codec inside the pool: (… <*> codec).pooled()")
  }
}
