import StrataVerbs

extension Laws {
  /// A function that takes a cache and returns a cache.
  public typealias Verb = @Sendable (Cache<Int, Int>) -> Cache<Int, Int>

  /// The laws of `named` and `observed`, which don't change the behavior of a cache.
  public static var transparency: Laws {
    Laws(
      "transparency",
      transparent("named", { $0.named("a") }).laws
        + transparent("observed", { $0.observed { _ in } }).laws)
  }

  /// Returns the laws of a verb that doesn't change the behavior of a cache. The verb may run async
  /// code.
  ///
  /// - Parameters:
  ///   - name: The name of the verb.
  ///   - verb: The verb.
  public static func transparent(_ name: String, _ verb: @escaping Verb) -> Laws {
    Laws(
      name,
      [
        Law(
          transparent: "transparency.\(name)", "a.\(name)() == a",
          "The verb has no effect on a level."
        ) {
          verb($0[0])
        } is: {
          $0[0]
        },
        Law(
          transparent: "transparency.\(name)OfSum", "(a + b).\(name)() == a + b",
          "The verb has no effect on a sum with a pool."
        ) {
          verb($0[0].named("upper") + $0[1].named("lower").pooled())
        } is: {
          $0[0] + $0[1].pooled()
        },
        Law(
          transparent: "transparency.\(name)OfOrigin",
          "a + b.pooled().\(name)().fetcher == a + b.pooled().fetcher",
          "The verb passes on that a write has overtaken the loads of an origin."
        ) {
          $0[0] + verb($0[1].pooled()).fetcher
        } is: {
          $0[0] + $0[1].pooled().fetcher
        },
      ])
  }
}
