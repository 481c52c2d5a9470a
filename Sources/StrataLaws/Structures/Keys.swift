import Strata

extension Laws {
  /// A way to see a cache through a function of its keys.
  public typealias KeyMap =
    @Sendable (@escaping @Sendable (Int) throws -> Int, Cache<Int, Int>) -> Cache<Int, Int>

  /// Caches are contravariant in their keys under `<^>`.
  public static var keys: Laws { keys { $0 <^> $1 } }

  /// Caches are contravariant in their keys under a key map of your own.
  public static func keys(_ map: @escaping KeyMap) -> Laws {
    let wide = Domain().with { $0.stored = 0..<8 }
    let alone = wide.with { $0.isSequential = true }
    let (twice, next) = (KeyFunction.twice, KeyFunction.next)
    return Laws(
      "keys",
      [
        Law("keys.identity", "id <^> a == a", "Keys that stay as they are change nothing.") {
          map({ $0 }, $0[0] + $0[1])
        } is: {
          $0[0] + $0[1]
        },
        Law(
          "keys.composition", "f <^> (g <^> a) == (f >>> g) <^> a",
          "Two key maps are one of both, the outer function first.", in: wide
        ) {
          map(next, map(twice, $0[0]))
        } is: {
          map({ twice(next($0)) }, $0[0])
        },
        Law(
          "keys.distribution", "f <^> (a + b) == f <^> a + f <^> b",
          "An injective key map of a sum is the sum of the key maps.", in: wide
        ) {
          map(twice, $0[0] + $0[1])
        } is: {
          map(twice, $0[0]) + map(twice, $0[1])
        },
        // One operation at a time: inside the sum, a key that has no image still waits for a clear.
        Law(
          "keys.partialDistribution", "f <^> (a + b) == f <^> a + f <^> b, f throws",
          "A key map that throws is distributed too.", in: alone, equality: .answers
        ) {
          map(KeyFunction.partial, $0[0] + $0[1])
        } is: {
          map(KeyFunction.partial, $0[0]) + map(KeyFunction.partial, $0[1])
        },
        Law(
          "keys.exchange", "(f <^> a) <*> t == f <^> (a <*> t)",
          "Keys and values are mapped in either order.", in: wide
        ) {
          map(KeyFunction.partial, $0[0]) <*> .fragile
        } is: {
          map(KeyFunction.partial, $0[0] <*> .fragile)
        },
      ])
  }
}

/// Functions of keys that the laws are tried on.
enum KeyFunction {
  @Sendable static func twice(_ key: Int) -> Int { key * 2 }
  @Sendable static func next(_ key: Int) -> Int { key + 1 }

  /// Injective where it does not throw.
  @Sendable static func partial(_ key: Int) throws -> Int {
    guard key != 1 else { throw ScriptError(level: -1, key: key, isMiss: false) }
    return key + 3
  }
}
