import StrataVerbs

extension Laws {
  /// A function that returns a cache that refreshes stamped values from a loader.
  public typealias LoaderRefresher =
    @Sendable (
      Cache<Int, Stamped<Int>>, Freshness, Loader<Int, Int>, TimeSource
    ) -> Cache<Int, Int>

  /// The laws of `refreshing` from a loader.
  public static var loader: Laws {
    loader { $0.clocked(by: $3).refreshing($1, from: $2) }
  }

  /// Returns laws that check your own implementation of `refreshing` from a loader.
  public static func loader(_ verb: @escaping LoaderRefresher) -> Laws {
    func law(
      _ name: String, _ statement: String, _ sentence: String,
      _ left: @escaping LoaderTrial.Making, is right: @escaping LoaderTrial.Making
    ) -> Law {
      Law("loader.\(name)", statement, sentence, draw: { LoaderTrial(&$0) }) { trial in
        let (left, right) = (trial.run(left), trial.run(right))
        return left == right ? nil : LawEvidence(left: ("left", left), right: ("right", right))
      }
    }
    return Laws(
      "loader",
      [
        law(
          "fetcher", "refreshing(from: Loader { .fresh(f) }) == refreshing(from: Fetcher(f))",
          "A loader that ignores the stored value and always has a fresh one is a fetcher."
        ) { run in
          verb(
            run.level, run.freshness, Loader { key, _ in run.answer(key) { .fresh($0) } }, run.time)
        } is: { run in
          run.refreshing(Fetcher { run.load($0) })
        },
        law(
          "unchanged", ".unchanged == .fresh(old)",
          "An unchanged value is stored again as a fresh one."
        ) { run in
          verb(
            run.level, run.freshness,
            Loader { key, old in run.answer(key) { old == nil ? .fresh($0) : .unchanged } },
            run.time)
        } is: { run in
          verb(
            run.level, run.freshness,
            Loader { key, old in run.answer(key) { .fresh(old?.value ?? $0) } }, run.time)
        },
        law(
          "nothing", "old == nil; .unchanged: get fails",
          "A load that answers that nothing has changed fails if there was nothing."
        ) { run in
          verb(
            run.level, run.freshness,
            Loader { key, old in run.answer(key) { _ in old == nil ? .unchanged : .fresh(0) } },
            run.time)
        } is: { run in
          verb(
            run.level, run.freshness,
            Loader { key, old in
              old == nil
                ? run.load(key).flatMap { _ in Promise(error: UnchangedNothingError(key: "\(key)"))
                }
                : run.answer(key) { _ in .fresh(0) }
            }, run.time)
        },
        law(
          "unstored", ".unstored(v): get is v, and the level is unchanged",
          "An unstored value reaches the waiting get and no level."
        ) { run in
          verb(
            run.level, run.freshness, Loader { key, _ in run.answer(key) { .unstored($0) } },
            run.time)
        } is: { run in
          // A get of a fresh or stale value returns this value. Every other get is a load.
          let age = run.freshness
          return run.expectation { key, entry in
            let stage = entry.map { age.stage(of: $0, at: run.time.now()) } ?? .expired
            let answer = stage == .fresh ? nil : run.load(key)
            return stage == .fresh || stage == .stale
              ? Promise(entry?.value, or: CacheError.notFound) : answer ?? .miss
          }
        },
        law(
          "absent", ".absent(for: d) == a miss under rememberingMisses(for: d)",
          "An absent key is a miss, which removes the value and is remembered."
        ) { run in
          verb(
            run.level, run.freshness,
            Loader { key, _ in run.answer(key) { _ in .absent(for: run.chosen) } }, run.time)
        } is: { run in
          let misses = Fetcher<Int, Int> { key in
            run.load(key).flatMap { _ in Promise<Int>.miss }
          }
          return run.refreshing(misses.rememberingMisses(for: run.chosen, clock: run.time))
        },
        law(
          "lifetime", ".fresh(v, for: d): v is fresh for d",
          "A value has the lifetime that its load has chosen."
        ) { run in
          verb(
            run.level, run.freshness,
            Loader { key, _ in run.answer(key) { .fresh($0, for: run.chosen) } }, run.time)
        } is: { run in
          run.refreshing(Fetcher { run.load($0) }, for: run.chosen)
        },
      ])
  }
}
