import Strata

extension Laws {
  /// A way to make a cache of many keys at a time.
  public typealias Batching = @Sendable (Cache<Int, Int>) -> Cache<[Int], [Int]>

  /// Many keys at a time are the keys one by one.
  public static var batch: Laws { batch { $0.batched() } }

  /// The laws of many keys at a time, of a verb of your own.
  public static func batch(_ verb: @escaping Batching) -> Laws {
    let wide = Domain().with { $0.stored = 0..<4 }
    return Laws(
      "batch",
      [
        Law("batch.single", "a.batched() of [k] == a of k", "A batch of one key is the key.") {
          { [$0] } <^> verb($0[0]) <*> Codec(decode: { $0[0] }, encode: { [$0] })
        } is: {
          $0[0]
        },
        Law(
          "batch.pairs", "a.batched() of [k, l] == a of k and a of l",
          "A batch of keys is each of them: gets in their order, writes settled with the last.",
          in: wide
        ) {
          { [$0 + 1, $0] } <^> verb($0[0])
            <*> Codec(decode: { 100 * $0[0] + $0[1] }, encode: { [$0 + 1, $0] })
        } is: {
          pairs($0[0])
        },
        Law(
          "batch.empty", "a.batched() of [] == []",
          "Of no keys it answers at once, and no level is asked."
        ) {
          { _ in [] } <^> verb($0[0]) <*> Codec(decode: { $0.count }, encode: { _ in [] })
        } is: {
          $0[0].asking { _ in Promise(0) }.unwritten
        },
      ])
  }

  /// A way to ask for many keys.
  public typealias Finding = @Sendable (Cache<Int, Int>, [Int]) -> Promise<[Int: Int]>

  /// What `getSome(_:)` promises.
  public static var found: Laws { found { $0.getSome($1) } }

  /// What a way of your own to ask for what is there of many keys promises.
  public static func found(_ find: @escaping Finding) -> Laws {
    Laws(
      "found",
      [
        Law(
          "batch.some", "a.getSome(ks)[k] == a.get(k), or nothing",
          "What was found is there by its key; what was not, for whatever reason, is not.",
          in: Domain().with { $0.stored = 0..<4 }
        ) {
          let level = $0[0]
          return level.asking { key in find(level, [key + 1, key, key + 1]).map { number($0, key) }
          }
        } is: {
          let get = $0[0].get
          return $0[0].asking { key in
            let (upper, lower) = (perhaps(get(key + 1)), perhaps(get(key)))
            return upper.zip(lower).map { next, own in
              number([key + 1: next, key: own].compactMapValues(\.self), key)
            }
          }
        }
      ])
  }
}

/// A key and the one after it as one, in the plainest words.
@Sendable private func pairs(_ cache: Cache<Int, Int>) -> Cache<Int, Int> {
  let (get, set, remove) = (cache.get, cache.set, cache.remove)
  return Cache(
    get: { key in
      let next = get(key + 1)
      if let outcome = next.outcome, outcome.value == nil { return next }
      return next.zip(get(key)).map { 100 * $0 + $1 }
    },
    set: { key, value in apart(set(key + 1, value + 1), set(key, value)) },
    remove: { key in apart(remove(key + 1), remove(key)) }, clear: cache.clear,
    memoryWarning: cache.memoryWarning)
}

/// Both of two independent writes: they settle together, and are cancelled together.
@Sendable func apart(_ upper: Promise<Void>, _ lower: Promise<Void>) -> Promise<Void> {
  let whole = both(upper, lower)
  whole.onCancel {
    upper.cancel()
    lower.cancel()
  }
  return whole
}

/// The value, or nothing for any other end.
@Sendable private func perhaps(_ promise: Promise<Int>) -> Promise<Int?> {
  Promise { continuation in
    let interest = promise.map(Optional.some).onCompletion { outcome in
      continuation.succeed(outcome.value ?? nil)
    }
    continuation.onCancel(interest.cancel)
  }
}

/// What was found of a key and the one after it, as one number.
@Sendable private func number(_ found: [Int: Int], _ key: Int) -> Int {
  100 * (found[key + 1] ?? -1) + (found[key] ?? -1)
}

extension Cache where Key == Int, Value == Int {
  /// This cache, of which no key is ever written.
  fileprivate var unwritten: Cache {
    Cache(get: get, clear: clear, memoryWarning: memoryWarning)
  }
}
