import StrataVerbs

extension Laws {
  /// A function that adds two caches.
  public typealias Sum = @Sendable (Cache<Int, Int>, Cache<Int, Int>) -> Cache<Int, Int>

  /// The laws of `+`: caches form a monoid with the identity `.empty`.
  public static var monoid: Laws { monoid { $0 + $1 } }

  /// Returns laws that check whether your own sum forms a monoid.
  ///
  /// - Parameters:
  ///   - empty: The identity of your sum.
  ///   - member: A function that turns a level into a member of the sum, such as
  ///     `{ $0.fetcher }`.
  ///   - sum: A function that adds two caches.
  public static func monoid(
    empty: Cache<Int, Int> = .empty, of member: @escaping Verb = { $0 }, _ sum: @escaping Sum
  ) -> Laws {
    let alone = LawDomain().with { $0.isSequential = true }
    // Excludes slow writes. In a sum, a get waits for a slow write to its key. While the get waits,
    // a later `clear` may overtake it.
    let quick = LawDomain().with {
      $0.slowsWrites = false
      $0.failsWrites = false
    }
    let hollow = Cache<Int, Int>(
      get: { _ in Promise(error: CacheError.notFound) }, set: { _, _ in Promise() })
    return Laws(
      "monoid",
      [
        Law(
          "monoid.identityAbove", ".empty + a == a",
          "Adding the empty cache above a cache has no effect."
        ) {
          sum(empty, member($0[0]))
        } is: {
          member($0[0])
        },
        Law(
          "monoid.identityBeneath", "a + .empty == a",
          "Adding the empty cache below a cache has no effect."
        ) {
          sum(member($0[0]), empty)
        } is: {
          member($0[0])
        },
        Law(
          "monoid.identityWithin", "a + .empty + b == a + b",
          "The empty cache has no effect in a sum."
        ) {
          sum(sum(member($0[0]), empty), sum(empty, member($0[1])))
        } is: {
          sum(member($0[0]), member($0[1]))
        },
        Law(
          "monoid.associativity", "(a + b) + c == a + (b + c)", "Brackets have no effect."
        ) {
          sum(sum(member($0[0]), member($0[1])), member($0[2]))
        } is: {
          sum(member($0[0]), sum(member($0[1]), member($0[2])))
        },
        Law(
          "monoid.reduction", "[a, b, c].reduce(.empty, +) == a + b + c",
          "Reducing a list of caches with `+`, starting from `.empty`, gives the same cache as `a + b + c`."
        ) {
          $0.levels.map(member).reduce(empty, sum)
        } is: {
          sum(sum(member($0[0]), member($0[1])), member($0[2]))
        },
        Law(
          "monoid.hollow", "hollow + a == a == a + hollow",
          "A cache that always misses has no effect in a sum.", in: quick,
          equality: .answers
        ) {
          sum(hollow, sum(member($0[0]), hollow))
        } is: {
          member($0[0])
        },
        Law(
          "monoid.closedBrackets", "(a + b).named + c == a + (b + c).named",
          "Naming a part of a sum has no effect if operations don't overlap.", in: alone,
          equality: .answers
        ) {
          sum(sum(member($0[0]), member($0[1])).named("upper"), member($0[2]))
        } is: {
          sum(member($0[0]), sum(member($0[1]), member($0[2])).named("lower"))
        },
        Law(
          "monoid.idempotence", "a + a == a", "Adding a cache to itself has no effect.",
          in: alone.with { $0.failsWrites = false },
          equality: .answers
        ) {
          sum(member($0[0]), member($0[0]))
        } is: {
          member($0[0])
        },
      ])
  }
}
