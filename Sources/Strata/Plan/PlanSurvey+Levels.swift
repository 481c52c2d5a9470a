/// What bounds levels, and what they are asked for.
extension PlanSurvey {
  func unbounded(_ place: PlanPlace) -> CachePlan.Advice? {
    guard place.stores, case .level(_, let detail, _) = place.plan,
      detail.map({ CachePlan.amount($0)?.count ?? 0 >= 1 << 60 || $0.hasPrefix("\"") }) ?? true
    else { return nil }
    return remark(
      .unbounded, place, "nothing says how much it may hold",
      "Give it a capacity, or see that its owner bounds it")
  }

  func neverAnswering(_ place: PlanPlace) -> CachePlan.Advice? {
    guard place.stores, case .level(_, let detail, _) = place.plan else { return nil }
    let isEmpty = detail.flatMap(CachePlan.amount)?.count ?? 1 <= 0
    guard isEmpty || place.lifetime ?? .seconds(1) <= .zero else { return nil }
    return remark(
      .unreachable, place,
      isEmpty ? "it has room for nothing" : "whatever it holds has expired already",
      "Give it room and time, or leave it out")
  }

  func unreachable(_ place: PlanPlace) -> CachePlan.Advice? {
    guard let (sum, index) = member(place), place.plan.levels.contains(where: isStore) else {
      return nil
    }
    for above in 0..<index {
      let upper = sum.plan.children[above]
      if upper.levels.allSatisfy(CachePlan.isSource) {
        return remark(
          .unreachable, place,
          "it is asked only when \(upper) has nothing, and no get fills it, since values go up",
          "Put it above \(upper), or fill it by writes")
      }
      if chain(sum.path + [above]).contains(where: { $0.plan.isVerb("recovering") }) {
        return remark(
          .unreachable, place, "\(upper) answers for it, unless its function throws",
          "Let the sum recover instead of a member: (a + b).recovering { … }")
      }
      if isCovered(place, by: sum.path + [above]) {
        return remark(
          .unreachable, place, "\(upper) holds everything that it holds, and is asked first",
          "Give the lower level more room, or leave it out")
      }
    }
    return nil
  }

  private func isStore(_ level: String) -> Bool { !CachePlan.isSource(level) }

  /// The sum of which a place is a member, and as which one.
  private func member(_ place: PlanPlace) -> (sum: PlanPlace, index: Int)? {
    guard let index = place.path.last,
      let sum = places.first(where: { $0.path == place.path.dropLast() }), sum.plan.isSum
    else { return nil }
    return (sum, index)
  }

  /// A place, and what is beneath it as long as that is one thing.
  private func chain(_ path: [Int]) -> [PlanPlace] {
    let nodes = beneath(path)
    let length = nodes.firstIndex { $0.plan.children.count != 1 } ?? nodes.count - 1
    return Array(nodes[...length])
  }

  /// Whether one level, asked first, is of the same kind and no smaller, and keeps values as long.
  private func isCovered(_ place: PlanPlace, by upper: [Int]) -> Bool {
    let (above, below) = (chain(upper), chain(place.path))
    guard let upper = above.last, let lower = below.last, upper.stores, upper.level == lower.level,
      !above.contains(where: { $0.plan.isVerb("conditioned", "skipping") }),
      case .level(_, let one?, _) = upper.plan, case .level(_, let other?, _) = lower.plan,
      let room = CachePlan.amount(one), let need = CachePlan.amount(other),
      let long = upper.knownLifetime, let short = lower.knownLifetime
    else { return false }
    return room.isBytes == need.isBytes && room.count >= need.count && long >= short
  }
}

extension CachePlan {
  /// Reads what bounds a level: a number, or what `bytes` writes.
  static func amount(_ text: String) -> (count: Int, isBytes: Bool)? {
    let parts = text.split(separator: " ")
    guard let first = parts.first, let number = Int(first) else { return nil }
    if parts.count == 1 { return (number, false) }
    let units = [
      "GiB": 1 << 30, "GB": 1_000_000_000, "MiB": 1 << 20, "MB": 1_000_000, "KiB": 1 << 10,
      "kB": 1000, "B": 1,
    ]
    guard parts.count == 2, let unit = units[String(parts[1])] else { return nil }
    let (bytes, isTooMany) = number.multipliedReportingOverflow(by: unit)
    return (isTooMany ? .max : bytes, true)
  }
}
