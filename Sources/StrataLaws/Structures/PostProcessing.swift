import Strata

extension Laws {
  /// A way to change values on their way out.
  public typealias PostProcessing =
    @Sendable (Cache<Int, Int>, @escaping @Sendable (Int, Int) throws -> Int) -> Cache<Int, Int>

  /// Values are changed on their way out of a get, and never stored so.
  public static var postProcessing: Laws {
    Laws(
      "postProcessing",
      postProcessing { $0.postProcessed($1) }.laws
        + transforming { cache, transformer, condition in
          guard let condition else { return cache.postProcessed(transformer) }
          return cache.postProcessed(transformer, where: condition)
        }.laws)
  }

  /// A way to change values by a transformer, all or those of which a condition holds.
  package typealias Transforming =
    @Sendable (
      Cache<Int, Int>, Transformer<Int, Int>, (@Sendable (Int) throws -> Bool)?
    ) -> Cache<Int, Int>

  /// Changes by a transformer are those by a function of the same values.
  package static func transforming(_ verb: @escaping Transforming) -> Laws {
    Laws(
      "postProcessing",
      [
        Law(
          "postProcessing.keys", "a.postProcessed { _, v in t(v) } == a.postProcessed(t)",
          "A function that ignores the key is the transformer."
        ) {
          $0[0].postProcessed { _, value in value + 10 }
        } is: {
          verb($0[0], Transformer { $0 + 10 }, nil)
        },
        Law(
          "postProcessing.condition",
          "a.postProcessed(t, where: p) == a.postProcessed { p ? t : id }",
          "Values of which the condition does not hold pass as they are."
        ) {
          verb($0[0], Transformer { $0 + 10 }, KeyCondition.fragile)
        } is: {
          $0[0].postProcessed { _, value in try KeyCondition.fragile(value) ? value + 10 : value }
        },
      ])
  }

  /// The laws of changes on the way out, of a verb of your own.
  public static func postProcessing(_ verb: @escaping PostProcessing) -> Laws {
    Laws(
      "postProcessing",
      [
        Law(
          "postProcessing.identity", "a.postProcessed(.identity) == a",
          "Values left as they are change nothing."
        ) {
          verb($0[0] + $0[1], { $1 })
        } is: {
          $0[0] + $0[1]
        },
        Law(
          "postProcessing.composition",
          "a.postProcessed(s).postProcessed(t) == a.postProcessed(s >>> t)",
          "Two changes one after the other are the change of both."
        ) {
          verb(verb($0[0], fragileSum), { $0 + 2 * $1 })
        } is: {
          verb($0[0], { try $0 + 2 * fragileSum($0, $1) })
        },
        Law(
          "postProcessing.definition", "get == a.get.map(t); set == a.set",
          "A get is changed, with its key; whatever else is done is done as it is."
        ) {
          verb($0[0], fragileSum)
        } is: {
          let get = $0[0].get
          return $0[0].asking { key in get(key).map { try fragileSum(key, $0) } }
        },
      ])
  }
}

/// Ten times the value and the key, but it cannot change a 2.
@Sendable func fragileSum(_ key: Int, _ value: Int) throws -> Int {
  guard value != 2 else { throw ScriptError(level: -4, key: key, isMiss: false) }
  return 10 * value + key
}
