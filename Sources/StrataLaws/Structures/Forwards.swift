import StrataVerbs

extension Laws {
  /// A function that reads a cache and a fetcher at the same time, and returns updates from both.
  public typealias Forward =
    @Sendable (Cache<Int, Int>, Fetcher<Int, Int>) -> CacheUpdates<Int, Int>

  /// The laws of `updating(from:)`, and of mapping the keys and values of its updates.
  public static var updates: Laws { updates { $0.updating(from: $1) } }

  /// Returns laws that check your own implementation of `updating(from:)`.
  public static func updates(_ verb: @escaping Forward) -> Laws {
    func law(
      _ name: String, _ statement: String, _ sentence: String,
      draw: @escaping @Sendable (inout SeededGenerator) -> UpdatesTrial = {
        .random(leaving: false, using: &$0)
      },
      _ judge: @escaping @Sendable (UpdatesTrial, UpdatesSeen) -> String?
    ) -> Law {
      Law(
        "updates.\(name)", statement, sentence, draw: draw,
        judge: { trial in
          let seen = trial.run(verb)
          guard let lawful = judge(trial, seen) else { return nil }
          return LawEvidence(left: ("seen", seen.lines), right: ("lawful", [lawful]))
        })
    }
    return Laws(
      "updates",
      [
        law(
          "order", "no cached answer follows a fresh one",
          "A stream contains no cached value after a fresh value.",
          complaintOfOrder),
        law(
          "freshIsLast", "fetch(k) is v => the last is fresh v",
          "The fetcher's value is the last update, even if it equals the cached value.",
          complaintOfFresh),
        law(
          "cachedFirst", "get(k) is v before fetch(k) ends => the first is cached v",
          "A cached value is delivered as soon as it is available.", complaintOfCached),
        law(
          "errors", "fetch(k) fails => the stream throws, after any cached answer",
          "Even if the fetcher fails, the stream contains the cached value.", complaintOfErrors),
        law(
          "stored", "fetch(k) is v => set(k, v), once",
          "The fetcher is called once, and the cache stores the fetched value.",
          complaintOfStoring),
        law(
          "removed", "get(k) is v, fetch(k) is a miss => remove(k), once",
          "A miss of the fetcher removes the cached value, but any other failure doesn't.",
          complaintOfRemoval),
        law(
          "leaving", "cancel(reader) == cancel(work)",
          "When the reader of the stream is cancelled, the loads are cancelled too.",
          draw: { .random(leaving: true, using: &$0) }, complaintOfWorkLeft),
        law(
          "writes", "w during a read => at rest, the cache holds the result of w",
          "A fetched value doesn't replace the value of a write that began during the read.",
          draw: { .writing(using: &$0) }, complaintOfLostWrites),
      ].map(\.waiting) + updates(verb, keys: { $1.mapKeys($0) }, values: { $0.mapValues($1) }).laws)
  }
}

@Sendable private func complaintOfOrder(_: UpdatesTrial, _ seen: UpdatesSeen) -> String? {
  guard let index = seen.updates.firstIndex(where: { $0.source == .fresh }) else { return nil }
  return index == seen.updates.count - 1 ? nil : "no update after the fresh value"
}

@Sendable private func complaintOfFresh(_ trial: UpdatesTrial, _ seen: UpdatesSeen) -> String? {
  guard let value = trial.value(1) else { return nil }
  let isLast = seen.updates.last == CacheUpdate(value, from: .fresh) && seen.end == "the end"
  return isLast ? nil : "fresh \(value), and the end"
}

@Sendable private func complaintOfCached(_ trial: UpdatesTrial, _ seen: UpdatesSeen) -> String? {
  guard let value = trial.value(0), seen.first == 0 else { return nil }
  return seen.updates.first == CacheUpdate(value, from: .cached) ? nil : "cached \(value) first"
}

@Sendable private func complaintOfErrors(_ trial: UpdatesTrial, _ seen: UpdatesSeen) -> String? {
  guard trial.value(1) == nil else { return nil }
  if let value = trial.value(0), seen.updates != [CacheUpdate(value, from: .cached)] {
    return "cached \(value), and then the error"
  }
  return seen.end == "the end" || seen.end == "no end" ? "an error at the end" : nil
}

@Sendable private func complaintOfStoring(_ trial: UpdatesTrial, _ seen: UpdatesSeen) -> String? {
  let asked = seen.asked[1].filter { $0 == "get 0" }.count
  if asked != 1 { return "one call of the origin" }
  let sets = seen.asked[0].filter { $0.hasPrefix("set") }
  let lawful = trial.value(1).map { ["set 0 \($0)"] } ?? []
  return sets == lawful ? nil : "\(lawful) of the cache"
}

@Sendable private func complaintOfRemoval(_ trial: UpdatesTrial, _ seen: UpdatesSeen) -> String? {
  let isGone = trial.value(0) != nil && trial.saysNone(1)
  let removals = seen.asked[0].filter { $0.hasPrefix("remove") }
  let lawful = isGone ? ["remove 0"] : []
  return removals == lawful ? nil : "\(lawful) of the cache"
}

@Sendable private func complaintOfLostWrites(_ trial: UpdatesTrial, _ seen: UpdatesSeen)
  -> String?
{
  var left: Int?
  if case .set(_, let value) = trial.write?.action { left = value }
  let held = seen.rest[0].contents[0]
  return held == left ? nil : left.map { "the cache holds \($0)" } ?? "the cache holds nothing"
}

@Sendable private func complaintOfWorkLeft(_ trial: UpdatesTrial, _ seen: UpdatesSeen) -> String? {
  guard let leaves = trial.leaves else { return nil }
  let before = (trial.order + UpdatesTrial.rest).prefix(leaves)
  let answered = trial.scripts.indices.map {
    !trial.scripts[$0].hasSlowGets || before.contains($0)
  }
  let isOver = answered[1] && (answered[0] || trial.value(1) != nil)
  for level in 0..<2 where !answered[level] && !isOver {
    if !seen.asked[level].contains("cancel get 0") {
      return "\(level == 0 ? "cache" : "origin") saw cancel get 0"
    }
  }
  return nil
}

extension UpdatesTrial {
  /// Returns the value of a get from a level, or `nil` if the get misses or fails.
  fileprivate func value(_ level: Int) -> Int? {
    scripts[level].getFaults[0] == nil ? scripts[level].contents[0] : nil
  }

  /// Whether a get from a level is a miss.
  fileprivate func saysNone(_ level: Int) -> Bool {
    let fault = scripts[level].getFaults[0]
    return fault == .miss || fault == nil && scripts[level].contents[0] == nil
  }
}
