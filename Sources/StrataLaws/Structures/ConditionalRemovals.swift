import StrataVerbs

extension Laws {
  /// A function that removes the values of all keys that satisfy a condition.
  public typealias ConditionalRemoval =
    @Sendable (Cache<Int, Int>, @Sendable (Int) -> Bool) -> Promise<Void>

  /// The laws of `removeAll(where:)`.
  public static var removal: Laws { removal { $0.removal(where: $1) } }

  /// Returns laws that check your own removal by a condition.
  public static func removal(_ remove: @escaping ConditionalRemoval) -> Laws {
    typealias Build = @Sendable (Cache<Int, Int>) -> Cache<Int, Int>
    let sums: [Build] = [
      { .dictionary() + $0 }, { .memory() + (.dictionary() + $0).pooled() },
    ]
    @Sendable func answers(
      _ program: ReadProgram, _ remove: (Cache<Int, Int>, Int?) -> Promise<Void>
    ) -> [[String]] {
      sums.flatMap { sum in
        program.run(expire: remove) { _, origin in
          let cache = sum(origin)
          return ReadProgram.Parts(cache: cache, readers: [cache.stored, cache])
        }
      }
    }
    return Laws(
      "removal",
      [
        Law(
          "removal.keys", "removeAll(where: p) == remove(k) for each k with p(k)",
          "A removal by a condition removes exactly the keys that satisfy it, from every level.",
          draw: { ReadProgram(&$0, expires: true) }
        ) { program in
          let left = answers(program) { cache, key in remove(cache) { $0 == key ?? $0 } }
          let right = answers(program) { cache, key in key.map(cache.remove) ?? cache.clear() }
          return left == right
            ? nil
            : LawEvidence(
              left: ("removed by condition", left.map { $0.joined(separator: ", ") }),
              right: ("removed by key", right.map { $0.joined(separator: ", ") }))
        }.waiting,
        Law(
          "removal.loads", "removeAll(where: p) during a load of k with p(k) => k isn't stored",
          "A load that began before a removal by a condition stores nothing, and no later get joins it.",
          draw: { RemovalTrial(&$0) }, judge: { judge($0, remove) }
        ).waiting,
      ])
  }

  private static func judge(_ trial: RemovalTrial, _ remove: ConditionalRemoval) -> LawEvidence? {
    let world = HeldLoads(poolsAll: trial.poolsAll)
    let old = world.cache.get(0)
    _ = settled(remove(world.cache) { $0 == 0 })
    let new = trial.getsAgain ? world.cache.get(0) : nil
    for (index, load) in world.begun.enumerated() { load.succeed(index) }
    func text(_ outcome: Promise<Int>.Outcome?) -> String {
      outcome?.value.map { "\($0)" } ?? "none"
    }
    let facts = [
      "first get: \(text(settled(old)))", "second get: \(text(new.flatMap { settled($0) }))",
      "stored: \(text(settled(world.level.get(0))))",
    ]
    let second = trial.getsAgain ? "1" : "none"
    // Because of a removal elsewhere in the process, the second load may not be stored either.
    let stored = facts[2] == "stored: \(second)" ? second : "none"
    let lawful = ["first get: 0", "second get: \(second)", "stored: \(stored)"]
    return facts == lawful ? nil : LawEvidence(left: ("found", facts), right: ("lawful", lawful))
  }
}

/// A removal while a load is in flight, and perhaps a get after the removal.
private struct RemovalTrial: Trial {
  let getsAgain: Bool
  /// Whether the pool is around the level and its origin, or around the origin only.
  let poolsAll: Bool

  init(_ random: inout SeededGenerator) {
    (getsAgain, poolsAll) = (.random(using: &random), .random(using: &random))
  }

  var simpler: [RemovalTrial] { [] }
  var size: Int { 1 }
  var lines: [String] {
    [
      poolsAll ? "(a + o).pooled()" : "a + o.pooled()", "get(0)", "removeAll { $0 == 0 }",
      getsAgain ? "get(0), and the loads end" : "the load ends",
    ]
  }
}
