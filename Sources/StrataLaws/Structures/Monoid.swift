import Strata

extension Laws {
  /// A function that adds two caches.
  public typealias Sum = @Sendable (Cache<Int, Int>, Cache<Int, Int>) -> Cache<Int, Int>

  /// The laws of `+`: caches form a monoid with the identity `.empty`.
  public static var monoid: Laws { monoid { $0 + $1 } }

  /// The laws of the monoid, for your own sum.
  ///
  /// - Parameters:
  ///   - empty: The identity.
  ///   - member: A function that returns a member from a level, such as `{ $0.fetcher.cache }`.
  ///   - sum: A function that adds two caches.
  public static func monoid(
    empty: Cache<Int, Int> = .empty, of member: @escaping Verb = { $0 }, _ sum: @escaping Sum
  ) -> Laws {
    let alone = Domain().with { $0.isSequential = true }
    // In a sum, a get waits for the slow writes of its key, and a later clear may overtake both.
    let quick = Domain().with { $0.slowsWrites = false }
    let hollow = Cache<Int, Int>(get: { _ in Promise(error: CacheError.notFound) })
    return Laws(
      "monoid",
      [
        Law(
          "monoid.identityAbove", ".empty + a == a",
          "The sum of the empty cache and a cache below it equals that cache."
        ) {
          sum(empty, member($0[0]))
        } is: {
          member($0[0])
        },
        Law(
          "monoid.identityBeneath", "a + .empty == a",
          "The sum of a cache and the empty cache below it equals that cache."
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
          "monoid.associativity", "(a + b) + c == a + (b + c)", "Brackets don't matter."
        ) {
          sum(sum(member($0[0]), member($0[1])), member($0[2]))
        } is: {
          sum(member($0[0]), sum(member($0[1]), member($0[2])))
        },
        Law(
          "monoid.reduction", "[a, b, c].reduce(.empty, +) == a + b + c",
          "Reducing a list of caches with `+` equals adding the caches one after another."
        ) {
          $0.levels.map(member).reduce(empty, sum)
        } is: {
          sum(sum(member($0[0]), member($0[1])), member($0[2]))
        },
        Law(
          "monoid.hollow", "hollow + a == a == a + hollow",
          "A cache that behaves like the empty cache is also an identity.", in: quick,
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
          "monoid.idempotence", "a + a == a", "A cache above itself equals that cache.", in: alone,
          equality: .answers
        ) {
          sum(member($0[0]), member($0[0]))
        } is: {
          member($0[0])
        },
      ])
  }
}
