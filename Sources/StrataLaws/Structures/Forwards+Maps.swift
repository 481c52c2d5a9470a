import StrataVerbs

extension Laws {
  /// A function that maps the keys of a `CacheUpdates` instance.
  package typealias UpdatesKeyMap =
    @Sendable (@escaping @Sendable (Int) -> Int, CacheUpdates<Int, Int>) -> CacheUpdates<Int, Int>

  /// A function that maps the values of a `CacheUpdates` instance through a codec.
  package typealias UpdatesValueMap =
    @Sendable (CacheUpdates<Int, Int>, Codec<Int, Int>) -> CacheUpdates<Int, Int>

  /// Returns the laws of `CacheUpdates` instances with mapped keys and values.
  ///
  /// - Parameters:
  ///   - verb: A function that creates a `CacheUpdates` instance.
  ///   - keys: A function that maps the keys of a `CacheUpdates` instance.
  ///   - values: A function that maps the values of a `CacheUpdates` instance.
  package static func updates(
    _ verb: @escaping Forward, keys: @escaping UpdatesKeyMap, values: @escaping UpdatesValueMap
  ) -> Laws {
    let (next, before): (@Sendable (Int) -> Int, @Sendable (Int) -> Int) = ({ $0 + 3 }, { $0 - 2 })
    let id: @Sendable (Int) -> Int = { $0 }
    return Laws(
      "updates",
      [
        same(
          "keys", "u.mapKeys(id) == u", "Mapping keys by the identity has no effect.",
          { keys(id, verb($0, $1)) },
          is: verb),
        same(
          "keyComposition", "u.mapKeys(g).mapKeys(f) == u.mapKeys { g(f($0)) }",
          "Two key maps equal their composition.",
          { keys(next, keys(before, verb($0, $1))) },
          is: { verb($0, $1).mapKeys { before(next($0)) } }),
        same(
          "values", "u.mapValues(.identity) == u", "Mapping values by the identity has no effect.",
          { values(verb($0, $1), .identity) }, is: verb),
        same(
          "valueComposition", "u.mapValues(s).mapValues(t) == u.mapValues(s >>> t)",
          "Two codecs equal their composition.",
          { values(values(verb($0, $1), .fragile), .shifted) },
          is: { verb($0, $1).mapValues(.fragile >>> .shifted) }),
        same(
          "exchange", "u.mapKeys(f).mapValues(t) == u.mapValues(t).mapKeys(f)",
          "The order of a key map and a value map doesn't matter.",
          { values(keys(next, verb($0, $1)), .fragile) },
          is: { keys(next, values(verb($0, $1), .fragile)) }),
      ].map(\.waiting))
  }

  private static func same(
    _ name: String, _ statement: String, _ sentence: String, _ left: @escaping Forward,
    is right: @escaping Forward
  ) -> Law {
    Law(
      "updates.\(name)", statement, sentence, draw: { UpdatesTrial.mapped(using: &$0) },
      judge: { trial in
        let (left, right) = (trial.run(left), trial.run(right))
        guard left != right else { return nil }
        return LawEvidence(left: ("left", left.lines), right: ("right", right.lines))
      })
  }
}

extension UpdatesTrial {
  /// Returns a random trial in which the keys 0, 1, and 3 have the same values and faults. The
  /// programs read the key 0. Some laws map it to the key 1 or 3, so these keys must behave alike.
  fileprivate static func mapped(using random: inout SeededGenerator) -> UpdatesTrial {
    var trial = UpdatesTrial.random(leaving: false, using: &random)
    for level in trial.scripts.indices {
      for key in [1, 3] {
        trial.scripts[level].contents[key] = trial.scripts[level].contents[0]
        trial.scripts[level].getFaults[key] = trial.scripts[level].getFaults[0]
      }
    }
    return trial
  }
}
