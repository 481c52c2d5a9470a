import Strata

extension Laws {
  /// A way to see a cache through a codec of its values.
  public typealias ValueMap = @Sendable (Cache<Int, Int>, Codec<Int, Int>) -> Cache<Int, Int>

  /// Caches are invariant in their values under `<*>`.
  public static var values: Laws { values { $0 <*> $1 } }

  /// Caches are invariant in their values under a value map of your own.
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
        Law(
          "values.exchange", "(f <^> a) <*> t == f <^> (a <*> t)",
          "Keys and values are mapped in either order."
        ) {
          map(KeyFunction.partial <^> $0[0], .fragile)
        } is: {
          KeyFunction.partial <^> map($0[0], .fragile)
        },
        Law(
          "values.fetchers", "(a.fetcher <*> s) <*> t == a.fetcher <*> (s >>> t)",
          "What is read only is decoded in the same way, and its writes change nothing."
        ) {
          map(map($0[0].fetcher.cache, .fragile), .shifted)
        } is: {
          map($0[0].fetcher.cache, .fragile >>> .shifted)
        },
      ])
  }
}

extension Codec where Stored == Int, Value == Int {
  /// Ten more, and ten less: gives back what it is given, both ways, and never fails.
  static var shifted: Codec {
    Codec(label: "shifted", decode: { $0 + 10 }, encode: { $0 - 10 })
  }

  /// Ten more, and ten less, but it cannot read a stored 1 and cannot write a 12.
  static var fragile: Codec {
    Codec(
      label: "fragile",
      decode: { stored in
        guard stored != 1 else { throw CacheError.undecodable(by: "fragile", reason: "1") }
        return stored + 10
      },
      encode: { value in
        guard value != 12 else { throw CacheError.unencodable(by: "fragile", reason: "12") }
        return value - 10
      })
  }
}
