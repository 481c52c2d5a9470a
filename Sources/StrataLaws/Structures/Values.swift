import StrataVerbs

extension Laws {
  /// A function that maps the values of a cache through a codec.
  public typealias ValueMap = @Sendable (Cache<Int, Int>, Codec<Int, Int>) -> Cache<Int, Int>

  /// The laws of `<*>`, which maps the values of a cache in both directions through a codec.
  public static var values: Laws { values { $0 <*> $1 } }

  /// Returns the laws of a verb that maps the values of a cache through a codec.
  public static func values(_ map: @escaping ValueMap) -> Laws {
    Laws(
      "values",
      [
        Law(
          "values.identity", "a <*> .identity == a", "Mapping values by the identity has no effect."
        ) {
          map($0[0] + $0[1], .identity)
        } is: {
          $0[0] + $0[1]
        },
        Law(
          "values.definition", "get == a.get, decoded; set == a.set of the encoded value",
          "A get decodes its value. A set encodes its value and stores the result."
        ) {
          map($0[0], .fragile)
        } is: {
          let (get, set, codec) = ($0[0].get, $0[0].set, Codec<Int, Int>.fragile)
          return Cache(
            get: { key in get(key).flatMap(codec.decode) },
            set: { key, value in codec.encode(value).flatMap { set(key, $0) } },
            remove: $0[0].remove, clear: $0[0].clear, memoryWarning: $0[0].memoryWarning)
        },
        Law(
          "values.composition", "(a <*> s) <*> t == a <*> (s >>> t)",
          "Two codecs equal their composition."
        ) {
          map(map($0[0], .fragile), .shifted)
        } is: {
          map($0[0], .fragile >>> .shifted)
        },
        Law(
          "values.distribution", "(a + b) <*> t == a <*> t + b <*> t",
          "Mapping a sum equals adding the mapped levels, if the codec can't fail."
        ) {
          map($0[0] + $0[1], .shifted)
        } is: {
          map($0[0], .shifted) + map($0[1], .shifted)
        },
        // If both the function for keys and the codec fail, the order of the operators decides
        // which error you see.
        Law(
          "values.exchange", "(f <^> a) <*> t == f <^> (a <*> t)",
          "The order of a key map and a value map doesn't matter."
        ) {
          map(KeyFunction.partial <^> $0[0], .unreadable)
        } is: {
          KeyFunction.partial <^> map($0[0], .unreadable)
        },
        Law(
          "values.fetchers", "(a.fetcher <*> s) <*> t == (a <*> (s >>> t)).fetcher",
          "A mapped read-only cache decodes its values, and its writes succeed without effect."
        ) {
          map(map($0[0].fetcher, .fragile), .shifted)
        } is: {
          map($0[0], .fragile >>> .shifted).fetcher
        },
      ])
  }
}

extension Codec where Stored == Int, Value == Int {
  /// A lossless codec that adds ten when decoding and subtracts ten when encoding.
  static var shifted: Codec {
    Codec(label: "shifted", decode: { $0 + 10 }, encode: { $0 - 10 })
  }

  /// The codec `shifted`, except that it can't decode numbers that end in 1.
  static var unreadable: Codec {
    Codec(label: "unreadable", decode: fragile.decode, encode: shifted.encode)
  }

  /// The codec `shifted`, except that it can't decode numbers that end in 1, or encode numbers that
  /// end in 2.
  static var fragile: Codec {
    Codec(
      label: "fragile",
      decode: { stored in
        guard !(stored - 1).isMultiple(of: 10) else {
          throw CacheError.undecodable(by: "fragile", reason: "\(stored)")
        }
        return stored + 10
      },
      encode: { value in
        guard !(value - 2).isMultiple(of: 10) else {
          throw CacheError.unencodable(by: "fragile", reason: "\(value)")
        }
        return value - 10
      })
  }
}
