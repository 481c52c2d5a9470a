import StrataVerbs

extension Laws {
  /// A function that restricts a cache to keys that meet a condition.
  public typealias Conditioning =
    @Sendable (Cache<Int, Int>, @escaping @Sendable (Int) throws -> Bool) -> Cache<Int, Int>

  /// The laws of `conditioned`: a condition decides which keys the level holds.
  public static var conditions: Laws { conditions { $0.conditioned($1) } }

  /// Returns laws that check your own implementation of `conditioned`.
  public static func conditions(_ verb: @escaping Conditioning) -> Laws {
    let (notOne, notTwo) = (KeyCondition.notOne, KeyCondition.notTwo)
    return Laws(
      "conditions",
      [
        Law(
          "condition.truth", "a.conditioned { true } == a",
          "A condition that always holds has no effect."
        ) {
          verb($0[0] + $0[1], { _ in true })
        } is: {
          $0[0] + $0[1]
        },
        Law(
          "condition.falsehood", "a.conditioned { false } + b: a is only emptied",
          "If the condition of a level never holds, the level stores nothing, and a write removes the old value."
        ) {
          verb($0[0], { _ in false }) + $0[1]
        } is: {
          let remove = $0[0].remove
          return Cache(
            keepsOrder: true,
            get: { _ in Promise(error: CacheError.conditionNotSatisfied) },
            set: { key, _ in remove(key) }, remove: remove, clear: $0[0].clear,
            memoryWarning: $0[0].memoryWarning) + $0[1]
        },
        Law(
          "condition.conjunction", "a.conditioned(p).conditioned(q) == a.conditioned { q && p }",
          "Two nested conditions equal one condition that checks the outer condition first."
        ) {
          verb(verb($0[0], notOne), KeyCondition.fragile)
        } is: {
          verb($0[0], { try KeyCondition.fragile($0) && notOne($0) })
        },
        Law(
          "condition.failure", "a.conditioned { throw e }: e, and a holds nothing",
          "If a condition throws, a get doesn't call the level, and a set removes the old value."
        ) {
          verb($0[0], KeyCondition.fragile)
        } is: {
          let (get, set, remove) = ($0[0].get, $0[0].set, $0[0].remove)
          return Cache(
            keepsOrder: true,
            get: { key in
              do {
                return try KeyCondition.fragile(key)
                  ? get(key) : Promise(error: CacheError.conditionNotSatisfied)
              } catch { return Promise(error: error) }
            },
            set: { key, value in
              do { return try KeyCondition.fragile(key) ? set(key, value) : remove(key) } catch {
                return remove(key).flatMapOutcome { _ in Promise(error: error) }
              }
            }, remove: remove, clear: $0[0].clear, memoryWarning: $0[0].memoryWarning)
        },
        Law(
          "condition.sums", "(a + b).conditioned(p) == a.conditioned(p) + b.conditioned(p)",
          "Restricting a sum equals restricting each member if operations don't overlap.",
          in: LawDomain().with {
            $0.isSequential = true
            $0.failsWrites = false
          }, equality: .answers
        ) {
          verb($0[0] + $0[1], notTwo)
        } is: {
          verb($0[0], notTwo) + verb($0[1], notTwo)
        },
      ])
  }

  /// A function that restricts a cache to keys that meet an asynchronous condition.
  public typealias LateConditioning =
    @Sendable (Cache<Int, Int>, @escaping @Sendable (Int) -> Promise<Bool>) -> Cache<Int, Int>

  /// The laws of asynchronous conditions.
  public static var lateConditions: Laws { lateConditions { $0.conditioned(when: $1) } }

  /// Returns laws that check your own implementation of asynchronous conditions.
  public static func lateConditions(_ verb: @escaping LateConditioning) -> Laws {
    Laws(
      "lateConditions",
      conditions { cache, condition in verb(cache, { Promise(condition, $0) }) }.laws
        + [
          Law(
            "condition.late", "cancel(a.conditioned(p)): a isn't called",
            "A get that is cancelled before its condition settles doesn't call the level.",
            in: .once,
            of: { context in
              verb(
                context[0], { Promise($0 != 1).delayed(by: .milliseconds(3), clock: context.time) })
            }, violationsOfAskingLate)
        ])
  }

  /// A function that adds separate conditions to the decoding and encoding of a codec.
  package typealias CodecConditioning =
    @Sendable (
      Codec<Int, Int>, _ reads: @escaping @Sendable (Int) throws -> Bool,
      _ writes: @escaping @Sendable (Int) throws -> Bool
    ) -> Codec<Int, Int>

  /// The laws of `conditioned` for codecs: each direction has its own condition.
  package static var codecConditions: Laws {
    codecConditions { $0.conditioned(decoding: $1, encoding: $2) }
  }

  /// Returns laws that check your own function for adding conditions to a codec.
  package static func codecConditions(_ conditioned: @escaping CodecConditioning) -> Laws {
    let (reads, writes) = (KeyCondition.notOne, KeyCondition.fragile)
    return Laws(
      "codecConditions",
      [
        Law(
          "condition.freeCodecs", "c.conditioned() == c",
          "A condition that always holds has no effect."
        ) {
          $0[0] <*> conditioned(.fragile, { _ in true }, { _ in true })
        } is: {
          $0[0] <*> .fragile
        },
        Law(
          "condition.codecs", "c.conditioned(p, q): p for reading, q for writing",
          "A get or set fails if the value doesn't meet the condition. A failed set writes nothing."
        ) {
          $0[0] <*> conditioned(.shifted, reads, writes)
        } is: {
          let (get, set) = ($0[0].get, $0[0].set)
          return Cache(
            get: { key in
              get(key).map { value in
                guard reads(value) else { throw CacheError.conditionNotSatisfied }
                return value + 10
              }
            },
            set: { key, value in
              Promise(writes, value).flatMap { isMet in
                guard isMet else { throw CacheError.conditionNotSatisfied }
                return set(key, value - 10)
              }
            },
            remove: $0[0].remove, clear: $0[0].clear, memoryWarning: $0[0].memoryWarning)
        },
      ])
  }
}

/// The conditions that the laws use.
enum KeyCondition {
  @Sendable static func notOne(_ key: Int) -> Bool { key != 1 }
  @Sendable static func notTwo(_ key: Int) -> Bool { key != 2 }

  /// Returns `false` for the key 2, and throws for the key 0.
  @Sendable static func fragile(_ key: Int) throws -> Bool {
    guard key != 0 else { throw ScriptError(level: -2, key: key, isMiss: false) }
    return key != 2
  }
}

extension Promise {
  /// Calls a function, and creates a promise that has settled with its result or its error.
  init<Input>(_ function: (Input) throws -> Value, _ input: Input) {
    do { self.init(outcome: .success(try function(input))) } catch { self.init(error: error) }
  }
}

extension Cache {
  /// Returns a copy of this cache with a different `get` function.
  func asking(_ get: @escaping @Sendable (Key) -> Promise<Value>) -> Cache {
    Cache(
      keepsOrder: true, get: get, set: set, remove: remove, clear: clear,
      memoryWarning: memoryWarning)
  }
}
