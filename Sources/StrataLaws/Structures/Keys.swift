import StrataVerbs

extension Laws {
  /// A function that maps the keys of a cache.
  public typealias KeyMap =
    @Sendable (@escaping @Sendable (Int) throws -> Int, Cache<Int, Int>) -> Cache<Int, Int>

  /// The laws of `<^>`: caches are contravariant in their keys.
  public static var keys: Laws { keys { $0 <^> $1 } }

  /// Returns laws that check your own function for mapping the keys of a cache.
  public static func keys(_ map: @escaping KeyMap) -> Laws {
    let wide = LawDomain().with { $0.stored = 0..<8 }
    let alone = wide.with { $0.isSequential = true }
    let (twice, next) = (KeyFunction.twice, KeyFunction.next)
    return Laws(
      "keys",
      [
        Law("keys.identity", "id <^> a == a", "Mapping keys by the identity has no effect.") {
          map({ $0 }, $0[0] + $0[1])
        } is: {
          $0[0] + $0[1]
        },
        Law(
          "keys.definition", "get(f <^> a, k) == get(a, f(k)), and so set and remove",
          "Each operation uses the mapped key, and fails if the function throws.",
          in: wide
        ) {
          map(KeyFunction.partial, $0[0])
        } is: {
          plainlyMapped($0[0], KeyFunction.partial)
        },
        Law(
          "keys.composition", "f <^> (g <^> a) == { g(f($0)) } <^> a",
          "Two key maps equal their composition, which applies the outer function first.", in: wide
        ) {
          map(next, map(twice, $0[0]))
        } is: {
          map({ twice(next($0)) }, $0[0])
        },
        Law(
          "keys.distribution", "f <^> (a + b) == f <^> a + f <^> b",
          "Mapping the keys of a sum equals adding the mapped levels, if the function is injective.",
          in: wide
        ) {
          map(twice, $0[0] + $0[1])
        } is: {
          map(twice, $0[0]) + map(twice, $0[1])
        },
        // The law holds only if operations don't overlap. In a sum of mapped levels (the right
        // side), an operation waits for a `clear` in flight before a level maps its key. But a
        // mapped sum (the left side) maps the key first: if the function throws, the operation
        // fails immediately. For the same reason, writes don't fail in these programs: after a
        // failed `clear`, the right side skips the level before it maps the key.
        Law(
          "keys.partialDistribution", "f <^> (a + b) == f <^> a + f <^> b, f throws",
          "Mapping the keys of a sum equals adding the mapped levels, even if the function throws.",
          in: alone.with { $0.failsWrites = false }, equality: .answers
        ) {
          map(KeyFunction.partial, $0[0] + $0[1])
        } is: {
          map(KeyFunction.partial, $0[0]) + map(KeyFunction.partial, $0[1])
        },
        Law(
          "keys.exchange", "(f <^> a) <*> t == f <^> (a <*> t)",
          "The order of a key map and a value map doesn't matter.", in: wide
        ) {
          map(KeyFunction.partial, $0[0]) <*> .unreadable
        } is: {
          map(KeyFunction.partial, $0[0] <*> .unreadable)
        },
      ])
  }
}

/// The reference implementation of mapping the keys of a cache.
@Sendable private func plainlyMapped(
  _ cache: Cache<Int, Int>, _ transform: @escaping @Sendable (Int) throws -> Int
) -> Cache<Int, Int> {
  let (get, set, remove) = (cache.get, cache.set, cache.remove)
  return Cache(
    get: { key in Promise(transform, key).flatMap(get) },
    set: { key, value in Promise(transform, key).flatMap { set($0, value) } },
    remove: { key in Promise(transform, key).flatMap(remove) }, clear: cache.clear,
    memoryWarning: cache.memoryWarning)
}

/// The functions that the laws use to map keys.
enum KeyFunction {
  @Sendable static func twice(_ key: Int) -> Int { key * 2 }
  @Sendable static func next(_ key: Int) -> Int { key + 1 }

  /// Throws for the key 1, and is injective for all other keys.
  @Sendable static func partial(_ key: Int) throws -> Int {
    guard key != 1 else { throw ScriptError(level: -1, key: key, isMiss: false) }
    return key + 3
  }
}
