import StrataVerbs

extension Laws {
  /// A function that transforms the result of every get from a cache.
  public typealias PostProcessing =
    @Sendable (Cache<Int, Int>, @escaping @Sendable (Int, Int) throws -> Int) -> Cache<Int, Int>

  /// The laws of `postProcessed`: each get returns a transformed value, and the cache stores the
  /// original value.
  public static var postProcessing: Laws {
    Laws(
      "postProcessing",
      postProcessing { $0.postProcessed($1) }.laws
        + transforming { $0.postProcessed($1) }.laws)
  }

  /// A function that applies a transformer to the result of every get from a cache.
  package typealias Transforming =
    @Sendable (Cache<Int, Int>, Transformer<Int, Int>) -> Cache<Int, Int>

  /// Returns laws that check your own function for post-processing with a transformer.
  package static func transforming(_ verb: @escaping Transforming) -> Laws {
    Laws(
      "postProcessing",
      [
        Law(
          "postProcessing.keys", "a.postProcessed { _, v in t(v) } == a.postProcessed(t)",
          "Post-processing by a function that ignores the key equals using a transformer."
        ) {
          $0[0].postProcessed { _, value in value + 10 }
        } is: {
          verb($0[0], Transformer { $0 + 10 })
        }
      ])
  }

  /// Returns laws that check your own function for post-processing.
  public static func postProcessing(_ verb: @escaping PostProcessing) -> Laws {
    Laws(
      "postProcessing",
      [
        Law(
          "postProcessing.identity", "a.postProcessed(.identity) == a",
          "The identity has no effect."
        ) {
          verb($0[0] + $0[1], { $1 })
        } is: {
          $0[0] + $0[1]
        },
        Law(
          "postProcessing.composition",
          "a.postProcessed(s).postProcessed(t) == a.postProcessed(s >>> t)",
          "Two transformations equal their composition."
        ) {
          verb(verb($0[0], fragileSum), { $0 + 2 * $1 })
        } is: {
          verb($0[0], { try $0 + 2 * fragileSum($0, $1) })
        },
        Law(
          "postProcessing.definition", "get == a.get.map(t); set == a.set",
          "A get transforms its value with the key. Other operations don't change."
        ) {
          verb($0[0], fragileSum)
        } is: {
          let get = $0[0].get
          return $0[0].asking { key in get(key).map { try fragileSum(key, $0) } }
        },
      ])
  }
}

/// Returns `10 * value + key`, but throws for the value 2.
@Sendable func fragileSum(_ key: Int, _ value: Int) throws -> Int {
  guard value != 2 else { throw ScriptError(level: -4, key: key, isMiss: false) }
  return 10 * value + key
}
