import StrataVerbs

extension Laws {
  /// A function that adds recovery from failures to a cache.
  public typealias Recovering =
    @Sendable (Cache<Int, Int>, @escaping @Sendable (Int, any Error) throws -> Int) -> Cache<
      Int, Int
    >

  /// The laws of `recovering`: a closure handles failures, but not hits or cancellations.
  public static var recovery: Laws { recovery { $0.recovering($1) } }

  /// Returns laws that check your own implementation of `recovering`.
  public static func recovery(_ verb: @escaping Recovering) -> Laws {
    Laws(
      "recovery",
      [
        Law(
          "recovery.identity", "a.recovering { throw e } == a",
          "Rethrowing every failure has no effect."
        ) {
          verb($0[0] + $0[1], { throw $1 })
        } is: {
          $0[0] + $0[1]
        },
        Law(
          "recovery.definition", "get == a.get.recover(f); set == a.set",
          "A function of the key replaces a failure with a value. The cache doesn't store that value."
        ) {
          verb($0[0], missesAlone)
        } is: {
          let get = $0[0].get
          return $0[0].asking { key in get(key).recover { try missesAlone(key, $0) } }
        },
        Law(
          "recovery.sum", "f.recovering { k, _ in g(k) } == f + g",
          "For a fetcher, recovering equals adding a fetcher that calls the function."
        ) {
          verb($0[0].fetcher, { key, _ in 10 * key })
        } is: {
          $0[0].fetcher + Fetcher<Int, Int>(offMainThread: false) { 10 * $0 }
        },
        Law(
          "recovery.composition",
          "a.recovering(f).recovering(g) == a.recovering { try f catch g }",
          "The outer function handles the errors of the inner function."
        ) {
          verb(verb($0[0], missesAlone), { 100 + $0 + rank($1) })
        } is: {
          verb(
            $0[0],
            { key, error in
              do { return try missesAlone(key, error) } catch { return 100 + key + rank(error) }
            })
        },
      ])
  }
}

/// Recovers from a miss, and throws any other error again.
@Sendable private func missesAlone(_ key: Int, _ error: any Error) throws -> Int {
  guard error.isMiss else { throw error }
  return 10 * key
}
