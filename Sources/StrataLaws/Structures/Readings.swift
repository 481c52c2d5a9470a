import StrataVerbs

extension Laws {
  /// The laws of `stored`, `reloading`, `peeking`, and `expire`.
  public static var reading: Laws { reading(ReadModes()) }

  /// Returns laws that check your own read modes.
  public static func reading(_ modes: ReadModes) -> Laws {
    typealias Build = @Sendable (ReadProgram, Cache<Int, Int>) -> Cache<Int, Int>
    @Sendable func mode(_ program: ReadProgram, _ cache: Cache<Int, Int>) -> Cache<Int, Int> {
      program.isStored ? modes.stored(cache) : modes.reloading(cache)
    }
    @Sendable func run(_ program: ReadProgram, _ build: Build) -> [[String]] {
      program.run { _, origin in
        let cache = build(program, origin)
        return ReadProgram.Parts(cache: cache, readers: [cache])
      }
    }
    func law(
      _ name: String, _ statement: String, _ sentence: String, expires: Bool = false,
      _ left: @escaping @Sendable (ReadProgram) -> [[String]],
      is right: @escaping @Sendable (ReadProgram) -> [[String]]
    ) -> Law {
      Law("reading.\(name)", statement, sentence, draw: { ReadProgram(&$0, expires: expires) }) {
        let (left, right) = (left($0).map(text), right($0).map(text))
        return left == right ? nil : LawEvidence(left: ("left", left), right: ("right", right))
      }.waiting
    }
    func same(
      _ name: String, _ statement: String, _ sentence: String, _ left: @escaping Build,
      is right: @escaping Build
    ) -> Law {
      law(name, statement, sentence) {
        run($0, left)
      } is: {
        run($0, right)
      }
    }
    let (f, s) = (
      { @Sendable (key: Int) in key + 10 },
      Codec<Int, Int>(decode: { $0 - 100 }, encode: { $0 + 100 })
    )
    return Laws(
      "reading",
      [
        same("stored", "(a + o).stored == a", "Without its origin, a sum is its levels.") {
          modes.stored(.dictionary() + $1)
        } is: { _, _ in
          .dictionary()
        },
        same(
          "reloading", "(a + o).reloading.get == o.get",
          "A reload returns what the origin answers, whatever is stored."
        ) {
          modes.reloading(.dictionary() + $1)
        } is: {
          $1
        },
        same("both", "a.stored.reloading == hollow", "Without both, every get misses.") {
          modes.reloading(modes.stored(.dictionary() + $1))
        } is: { _, _ in
          .empty
        },
        same("idempotence", "m(m(a)) == m(a)", "Applying a mode twice has no effect.") {
          mode($0, mode($0, .dictionary() + $1))
        } is: {
          mode($0, .dictionary() + $1)
        },
        same("sums", "m(a + b) == m(a) + m(b)", "A reading mode applies to each level of a sum.") {
          mode($0, .dictionary() + (.dictionary() + $1).pooled())
        } is: {
          mode($0, .dictionary()) + mode($0, (.dictionary() + $1).pooled())
        },
        same("keys", "m(f <^> a) == f <^> m(a)", "A mode commutes with a key map.") {
          mode($0, f <^> (.dictionary() + $1))
        } is: {
          f <^> mode($0, .dictionary() + $1)
        },
        same("values", "m(a <*> s) == m(a) <*> s", "A mode commutes with a codec.") {
          mode($0, (.dictionary() + $1) <*> s)
        } is: {
          mode($0, .dictionary() + $1) <*> s
        },
        law(
          "backFill", "v = a.reloading.get(k) => a.stored.get(k) == v",
          "A reloaded value is stored in every level."
        ) {
          backFills($0, modes)
        } is: {
          backFills($0, modes).map { $0[0].hasPrefix("value") ? [$0[0], $0[0], $0[0]] : $0 }
        },
        law(
          "fallback", "a.reloadingOrStored == a.reloading, or a.stored if the origin fails",
          "The stored value answers a reload whose origin fails."
        ) { program in
          program.run { _, origin in
            let cache = .dictionary() + origin
            return .init(cache: cache, readers: [modes.reloadingOrStored(cache)])
          }
        } is: { program in
          program.run { _, origin in
            let (level, cache) = Cache<Int, Int>.level(over: origin)
            return .init(cache: cache, readers: [fallback(origin, level)])
          }
        },
        law("peek", "peek(k); p == p", "A peek changes no later answer and no count.") {
          peeks($0) { [modes.peeking($0), $0] }
        } is: {
          peeks($0) { [$0] }
        },
        law(
          "expiry", "expire(k); get(k) == o.get(k), or the old value if o fails",
          "A value that is expired is loaded again, and remains a fallback.", expires: true
        ) { program in
          program.run(expire: modes.expire) { clock, origin in
            let stamped = Cache<Int, Stamped<Int>>.dictionary().clocked(by: clock)
            let cache = stamped.refreshing(
              Freshness(for: .seconds(3_600), staleIfError: .seconds(3_600), pause: .zero),
              from: origin)
            return .init(cache: cache, readers: [cache])
          }
        } is: {
          $0.model
        },
        Law(
          "reading.loads", "reloading.get(k) during a load of k begins another one",
          "A reload joins no earlier load, and its value stays in the levels.",
          draw: { ReloadTrial(&$0) }, judge: { judge($0, modes) }
        ).waiting,
      ])
  }

  @Sendable private static func text(_ answers: [String]) -> String {
    answers.joined(separator: ", ")
  }

  private static func fallback(_ origin: Cache<Int, Int>, _ level: Cache<Int, Int>) -> Cache<
    Int, Int
  > {
    Cache { key in
      origin.get(key).flatMapOutcome { outcome in
        switch outcome {
        case .success(let value): level.set(key, value).map { value }
        case .failure(let error) where !error.isMiss:
          level.get(key).flatMapOutcome {
            $0.value == nil ? Promise(error: error) : Promise(outcome: $0)
          }
        default: Promise(outcome: outcome)
        }
      }
    }
  }

  /// Returns the answers of a reload, and then those of the sum's stored values and of the lower
  /// level.
  @Sendable private static func backFills(_ program: ReadProgram, _ modes: ReadModes) -> [[String]]
  {
    program.run { _, origin in
      let lower = Cache<Int, Int>.dictionary()
      let cache = .dictionary() + (lower + origin).pooled()
      return .init(cache: cache, readers: [modes.reloading(cache), cache.stored, lower])
    }
  }

  /// Runs a program in which each get calls two readers. Returns the answers of the second reader,
  /// and the hits and misses of each stage.
  private static func peeks(
    _ program: ReadProgram, _ readers: (Cache<Int, Int>) -> [Cache<Int, Int>]
  ) -> [[String]] {
    let statistics = CacheStatistics()
    let answers = program.run { _, origin in
      let levels = Cache<Int, Int>.memory().named("memory") + .dictionary().named("level")
      let cache = (levels + origin.named("origin")).observed(by: statistics)
      return .init(cache: cache, readers: readers(cache))
    }
    let snapshot = statistics.snapshot
    return answers.map { $0.suffix(1) }
      + ["memory", "level", "origin"].map { stage in
        ["\(stage): \(snapshot[stage]?.hits ?? 0) hits, \(snapshot[stage]?.misses ?? 0) misses"]
      }
  }

  private static func judge(_ trial: ReloadTrial, _ modes: ReadModes) -> LawEvidence? {
    let world = HeldLoads(poolsAll: trial.poolsAll)
    let old = world.cache.get(0)
    let new = modes.reloading(world.cache).get(0)
    let begun = world.begun
    let count = begun.count
    if count == 2 {
      for index in trial.reloadEndsFirst ? [1, 0] : [0, 1] { begun[index].succeed(index) }
    } else {
      for load in begun { load.succeed(0) }
    }
    let facts = [
      "\(count) loads", "reload: \(settled(new)?.value ?? -1)", "get: \(settled(old)?.value ?? -1)",
      "stored: \(settled(world.level.get(0))?.value ?? -1)",
    ]
    let lawful = ["2 loads", "reload: 1", "get: 0", "stored: 1"]
    return facts == lawful ? nil : LawEvidence(left: ("found", facts), right: ("lawful", lawful))
  }
}

extension Cache<Int, Int> {
  fileprivate static func level(over origin: Cache) -> (level: Cache, sum: Cache) {
    let level = Cache.dictionary()
    return (level, level + origin)
  }
}
