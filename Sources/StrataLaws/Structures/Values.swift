import Strata

extension Laws {
  /// A function that maps the values of a cache through a codec.
  public typealias ValueMap = @Sendable (Cache<Int, Int>, Codec<Int, Int>) -> Cache<Int, Int>

  /// The laws of `<*>`: caches are invariant in their values.
  public static var values: Laws { values { $0 <*> $1 } }

  /// The laws of invariance in values, for your own verb.
  public static func values(_ map: @escaping ValueMap) -> Laws {
    Laws(
      "values",
      [
        Law("values.identity", "a <*> .identity == a", "Values as they are change nothing.") {
          map($0[0] + $0[1], .identity)
        } is: {
          $0[0] + $0[1]
        },
        Law(
          "values.definition", "get == a.get, decoded; set == a.set of what is encoded",
          "A get is decoded, a set encoded, and stored only then."
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
          "Two codecs one after the other are the codec of both."
        ) {
          map(map($0[0], .fragile), .shifted)
        } is: {
          map($0[0], .fragile >>> .shifted)
        },
        Law(
          "values.distribution", "(a + b) <*> t == a <*> t + b <*> t",
          "A codec of a sum is the sum of the codecs, where it cannot fail."
        ) {
          map($0[0] + $0[1], .shifted)
        } is: {
          map($0[0], .shifted) + map($0[1], .shifted)
        },
        // Where a key has no image and its value cannot be written, which of the two is told
        // depends.
        Law(
          "values.exchange", "(f <^> a) <*> t == f <^> (a <*> t)",
          "Keys and values are mapped in either order."
        ) {
          map(KeyFunction.partial <^> $0[0], .unreadable)
        } is: {
          KeyFunction.partial <^> map($0[0], .unreadable)
        },
        Law(
          "values.fetchers", "(a.fetcher <*> s) <*> t == (a <*> (s >>> t)).fetcher",
          "What is read only is decoded in the same way; its writes succeed and change nothing."
        ) {
          map(map($0[0].fetcher.cache, .fragile), .shifted)
        } is: {
          map($0[0], .fragile >>> .shifted).fetcher.cache
        },
      ])
  }
}

extension Codec where Stored == Int, Value == Int {
  /// A lossless codec that adds and subtracts ten.
  static var shifted: Codec {
    Codec(label: "shifted", decode: { $0 + 10 }, encode: { $0 - 10 })
  }

  /// A codec that adds and subtracts ten, and can't decode numbers that end in 1.
  static var unreadable: Codec {
    Codec(label: "unreadable", decode: fragile.decode, encode: shifted.encode)
  }

  /// A codec that adds and subtracts ten. It can't decode numbers that end in 1, or encode numbers
  /// that end in 2.
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
