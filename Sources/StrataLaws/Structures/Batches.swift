import StrataCore

extension Laws {
  /// A function that returns a cache whose keys are lists of the original keys.
  public typealias Batching = @Sendable (Cache<Int, Int>) -> Cache<[Int], [Int]>

  /// The laws of `batched()`: a batch behaves like separate operations on its keys.
  public static var batch: Laws { batch { $0.batched() } }

  /// Returns laws that check your own implementation of `batched()`.
  public static func batch(_ verb: @escaping Batching) -> Laws {
    let wide = Domain().with { $0.stored = 0..<4 }
    return Laws(
      "batch",
      [
        Law(
          "batch.single", "a.batched() of [k] == a of k",
          "A batch of one key behaves like the operation on that key."
        ) {
          { [$0] } <^> verb($0[0]) <*> Codec(decode: { $0[0] }, encode: { [$0] })
        } is: {
          $0[0]
        },
        Law(
          "batch.pairs", "a.batched() of [k, l] == a of k and a of l",
          "A batch returns values in the order of its keys. A write waits for all its parts.",
          in: wide
        ) {
          { [$0 + 1, $0] } <^> verb($0[0])
            <*> Codec(decode: { 100 * $0[0] + $0[1] }, encode: { [$0 + 1, $0] })
        } is: {
          pairs($0[0])
        },
        Law(
          "batch.empty", "a.batched() of [] == []",
          "A batch without keys returns immediately and doesn't call a level."
        ) {
          { _ in [] } <^> verb($0[0]) <*> Codec(decode: { $0.count }, encode: { _ in [] })
        } is: {
          $0[0].asking { _ in Promise(0) }.unwritten
        },
      ])
  }

  /// A function that reads the values of many keys, and returns the values that it finds.
  public typealias Finding = @Sendable (Cache<Int, Int>, [Int]) -> Promise<[Int: Int]>

  /// The laws of `getSome(_:)`.
  public static var found: Laws { found { $0.getSome($1) } }

  /// Returns laws that check your own function for reading many keys with one call.
  public static func found(_ find: @escaping Finding) -> Laws {
    Laws(
      "found",
      [
        Law(
          "batch.some", "a.getSome(ks)[k] == a.get(k), or nothing",
          "The result contains each found value under its key, and no other keys.",
          in: Domain().with { $0.stored = 0..<4 }
        ) {
          let level = $0[0]
          return level.asking { key in find(level, [key + 1, key, key + 1]).map { number($0, key) }
          }
        } is: {
          let get = $0[0].get
          return $0[0].asking { key in
            let (upper, lower) = (perhaps(get(key + 1)), perhaps(get(key)))
            return Promise.all([upper, lower]).map { found in
              number([key + 1: found[0], key: found[1]].compactMapValues(\.self), key)
            }
          }
        }
      ])
  }
}

/// The reference implementation of a batch. Each operation applies to a key and the key's
/// successor.
@Sendable private func pairs(_ cache: Cache<Int, Int>) -> Cache<Int, Int> {
  let (get, set, remove) = (cache.get, cache.set, cache.remove)
  return Cache(
    get: { key in
      let next = get(key + 1)
      if let outcome = next.outcome, outcome.value == nil { return next }
      return Promise.all([next, get(key)]).map { 100 * $0[0] + $0[1] }
    },
    set: { key, value in apart(set(key + 1, value + 1), set(key, value)) },
    remove: { key in apart(remove(key + 1), remove(key)) }, clear: cache.clear,
    memoryWarning: cache.memoryWarning)
}

/// Joins two independent writes into one promise. The promise settles when both writes have
/// settled. Cancelling the promise cancels both writes.
@Sendable func apart(_ upper: Promise<Void>, _ lower: Promise<Void>) -> Promise<Void> {
  let whole = both(upper, lower)
  whole.onCancel {
    upper.cancel()
    lower.cancel()
  }
  return whole
}

/// Returns a promise that succeeds with the value of another promise, or with `nil` if the other
/// promise has no value.
@Sendable private func perhaps(_ promise: Promise<Int>) -> Promise<Int?> {
  Promise { continuation in
    let interest = promise.map(Optional.some).onCompletion { outcome in
      continuation.succeed(outcome.value ?? nil)
    }
    continuation.onCancel(interest.cancel)
  }
}

/// Combines the values of a key and its successor into one number.
@Sendable private func number(_ found: [Int: Int], _ key: Int) -> Int {
  100 * (found[key + 1] ?? -1) + (found[key] ?? -1)
}

extension Cache where Key == Int, Value == Int {
  /// Returns a copy of this cache without `set` and `remove`.
  fileprivate var unwritten: Cache {
    Cache(get: get, set: { _, _ in Promise() }, clear: clear, memoryWarning: memoryWarning)
  }
}
