import StrataVerbs

extension Laws {
  /// A function that maps the values of a cache with two closures, which also receive the key.
  public typealias KeyedValueMap =
    @Sendable (
      Cache<Int, Int>, _ decode: @escaping @Sendable (Int, Int) throws -> Int,
      _ encode: @escaping @Sendable (Int, Int) throws -> Int
    ) -> Cache<Int, Int>

  /// The laws of `mapValues(decode:encode:)`, whose closures also receive the key.
  public static var keyedValues: Laws { keyedValues { $0.mapValues(decode: $1, encode: $2) } }

  /// Returns laws that check your own function for mapping values with closures that also receive
  /// the key.
  public static func keyedValues(_ map: @escaping KeyedValueMap) -> Laws {
    let (more, less) = (KeyedFunction.more, KeyedFunction.less)
    return Laws(
      "keyedValues",
      [
        Law(
          "keyedValues.identity", "a.mapValues({ v }, { v }) == a",
          "Mapping values by the identity has no effect."
        ) {
          map($0[0] + $0[1], { $1 }, { $1 })
        } is: {
          $0[0] + $0[1]
        },
        Law(
          "keyedValues.codec", "a.mapValues({ _, v in c.decode(v) }, …) == a <*> c",
          "Mapping with functions that ignore the key equals mapping with a codec."
        ) {
          map($0[0], { $1 + 10 }, { $1 - 10 })
        } is: {
          $0[0] <*> .shifted
        },
        Law(
          "keyedValues.definition", "get == a.get.map(decode); set == a.set after encode",
          "A get decodes its value with the key. A set encodes its value with the key."
        ) {
          map($0[0], fragileSum, less)
        } is: {
          let (get, set) = ($0[0].get, $0[0].set)
          return Cache(
            get: { key in get(key).map { try fragileSum(key, $0) } },
            set: { key, value in
              Promise({ try less(key, $0) }, value).flatMap { set(key, $0) }
            }, remove: $0[0].remove, clear: $0[0].clear, memoryWarning: $0[0].memoryWarning)
        },
        Law(
          "keyedValues.distribution", "(a + b).mapValues == a.mapValues + b.mapValues",
          "Mapping a sum equals adding the mapped levels, if the functions don't fail."
        ) {
          map($0[0] + $0[1], more, { $1 - $0 })
        } is: {
          map($0[0], more, { $1 - $0 }) + map($0[1], more, { $1 - $0 })
        },
        Law(
          "keyedValues.fetchers", "a.fetcher.mapValues: writes change nothing",
          "A mapped read-only cache decodes its values, and its writes succeed without effect."
        ) {
          map($0[0].fetcher, fragileSum, less)
        } is: {
          map($0[0], fragileSum, { $1 }).fetcher
        },
      ])
  }
}

/// The functions that the laws use to map values.
private enum KeyedFunction {
  @Sendable static func more(_ key: Int, _ value: Int) throws -> Int { value + key }

  /// Throws for the value 3, which therefore can't be encoded.
  @Sendable static func less(_ key: Int, _ value: Int) throws -> Int {
    guard value != 3 else { throw ScriptError(level: -5, key: key, isMiss: false) }
    return value - key
  }
}
