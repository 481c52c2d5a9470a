import Strata

extension Benchmark {
  /// The time that read modes and a loader add to a hit.
  static let reading = [
    Benchmark(.verbs, "read modes above an origin, Int keys, 1,024 entries") { scale in
      let keys = Keys(scale.entries(1_024)) { $0 }
      let origin = Cache<Int, Int> { Promise($0) }
      let cache = Cache<Int, Int>.memory(capacity: 2_048) + origin
      let (stored, reloading, peeking) = (cache.stored, cache.reloading, cache.peeking)
      for key in keys.all { _ = cache.set(key, key) }
      return [
        .counting("memory + origin") { cache.get(keys[$0]) },
        .counting(
          "stored",
          [
            Target(measure: .added(to: "memory + origin", steps: 1), must: 6, aim: 3),
            .allocations(),
          ]
        ) { stored.get(keys[$0]) },
        .counting(
          "peeking",
          [
            Target(measure: .added(to: "memory + origin", steps: 1), must: 10, aim: 3),
            .allocations(),
          ]
        ) { peeking.get(keys[$0]) },
        .counting("reloading") { reloading.get(keys[$0]) },
      ]
    },
    Benchmark(.verbs, "hit of a refreshed cache, Int keys, 1,024 entries") { scale in
      let keys = Keys(scale.entries(1_024)) { $0 }
      let freshness = Freshness(for: .seconds(86_400))
      let stamped: Cache<Int, Stamped<Int>> = .memory(capacity: 2_048)
      let fetched = stamped.refreshing(freshness, from: Cache { Promise($0) })
      let loaded = stamped.refreshing(
        freshness, from: Loader<Int, Int> { key, _ in Promise(.fresh(key)) })
      let stored = fetched.stored
      for key in keys.all { _ = fetched.set(key, key) }
      return [
        .counting("memory level, stamped") { stamped.get(keys[$0]) },
        .counting("refreshing from a fetcher") { fetched.get(keys[$0]) },
        .counting("refreshing from a loader") { loaded.get(keys[$0]) },
        .counting("refreshing, stored") { stored.get(keys[$0]) },
      ]
    },
    Benchmark(.verbs, "result of a memoized function, two arguments, 1,024 entries") { scale in
      let keys = Keys(scale.entries(1_024)) { $0 }
      let cache: Cache<MemoizedCall<Int, String>, Int> = .memory(capacity: 2_048)
      let double = memoized(in: cache) { (number: Int, _: String) in 2 * number }
      let calls = keys.all.map { double.call($0, "en") }
      for (key, call) in zip(keys.all, calls) { _ = cache.set(call, 2 * key) }
      return [
        .counting("memory level, keys at hand") { cache.get(calls[$0 % calls.count]) },
        .counting("memoized, keys at hand") { double.cache.get(calls[$0 % calls.count]) },
        .counting("memoized, keys made") { double.cache.get(double.call(keys[$0], "en")) },
      ]
    },
  ]
}
