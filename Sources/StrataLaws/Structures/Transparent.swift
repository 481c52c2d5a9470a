import Strata

extension Laws {
  /// A way to make a cache of a cache.
  public typealias Verb = @Sendable (Cache<Int, Int>) -> Cache<Int, Int>

  /// A name and an observer change nothing.
  public static var transparency: Laws {
    Laws(
      "transparency",
      transparent("named", { $0.named("a") }).laws
        + transparent("observed", { $0.observed { _ in } }).laws)
  }

  /// A verb changes nothing that a program could tell.
  ///
  /// - Parameters:
  ///   - name: What the verb is called.
  ///   - verb: The verb.
  public static func transparent(_ name: String, _ verb: @escaping Verb) -> Laws {
    Laws(
      name,
      [
        Law("transparency.\(name)", "a.\(name)() == a", "The verb changes nothing of a level.") {
          verb($0[0])
        } is: {
          $0[0]
        },
        Law(
          "transparency.\(name)OfSum", "(a + b).\(name)() == a + b",
          "The verb changes nothing of a sum with a pool in it."
        ) {
          verb($0[0].named("upper") + $0[1].named("lower").pooled())
        } is: {
          $0[0] + $0[1].pooled()
        },
      ])
  }
}
