import StrataVerbs

extension Laws {
  /// A function that returns a cache whose keys are lists of the original keys.
  public typealias Batching = @Sendable (Cache<Int, Int>) -> Cache<[Int], [Int]>

  /// The laws of `batched()`: a batch behaves like separate operations on its keys.
  public static var batch: Laws { batch { $0.batched() } }

  /// Returns laws that check your own implementation of `batched()`.
  public static func batch(_ verb: @escaping Batching) -> Laws {
    let wide = LawDomain().with { $0.stored = 0..<4 }
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

  /// A function that reads many keys, and returns their outcomes in the order of the keys.
  public typealias ReadingMany =
    @Sendable (Cache<Int, Int>, [Int]) -> Promise<[Promise<Int>.Outcome]>

  /// The laws of `outcomes(for:)`.
  public static var outcomes: Laws { outcomes { $0.outcomes(of: $1) } }

  /// Returns laws that check your own function for reading many keys with one call.
  public static func outcomes(_ read: @escaping ReadingMany) -> Laws {
    Laws(
      "outcomes",
      [
        Law(
          "batch.some", "a.outcomes(for: ks) == ks.map(a.get)",
          "Each key has the outcome of its own get, and a miss isn't a failure.",
          in: LawDomain().with { $0.stored = 0..<5 }
        ) {
          let level = $0[0]
          return level.asking { key in read(level, severalKeys(key)).map(number) }
        } is: {
          let get = $0[0].get
          return $0[0].asking { key in
            Promise.all(severalKeys(key).map { key in outcome(of: get(key)) }).map(number)
          }
        }
      ])
  }
}

/// Keys, one of which occurs twice. The reversed list is different, so the law notices results in a
/// wrong order.
@Sendable private func severalKeys(_ key: Int) -> [Int] { [key + 1, key, key + 1, key + 2] }

/// Returns the outcome of a promise as the value of another promise, which doesn't fail.
private func outcome(of promise: Promise<Int>) -> Promise<Promise<Int>.Outcome> {
  promise.flatMapOutcome { Promise<Promise<Int>.Outcome>($0) }
}

/// Returns a number that differs between lists of different outcomes.
@Sendable private func number(_ outcomes: [Promise<Int>.Outcome]) -> Int {
  outcomes.reduce(outcomes.count) { number, outcome in
    let digit =
      switch outcome {
      case .success(let value): value &+ 3
      case .failure(let error): error.isMiss ? 0 : 1
      case .cancelled: 2
      }
    return number &* 1000 &+ digit
  }
}

/// The reference implementation of a batch, which applies each operation to a key and to its
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

/// Joins two independent writes into one promise, which settles when both have settled. Its
/// cancellation cancels both writes.
@Sendable func apart(_ upper: Promise<Void>, _ lower: Promise<Void>) -> Promise<Void> {
  let whole = both(upper, lower)
  whole.onCancel {
    upper.cancel()
    lower.cancel()
  }
  return whole
}

extension Cache where Key == Int, Value == Int {
  /// Returns a copy of this cache without `set` and `remove`.
  fileprivate var unwritten: Cache {
    Cache(get: get, set: { _, _ in Promise() }, clear: clear, memoryWarning: memoryWarning)
  }
}
