import Strata

extension Benchmark {
  /// Awaited hits, which should neither suspend the task nor switch to another executor.
  static let async = [
    Benchmark(.async, "hit, awaited") { scale in
      let keys = Keys(scale.entries(1_024), String.numbered)
      let cache: Cache<String, Int> = .memory(capacity: 2_048)
      for key in keys.all { _ = cache.set(key, 1) }
      let targets: [Target] = [.ratio(must: 1.3, aim: 1.05), .allocations()]
      return [
        .reading("synchronous hit", keys, from: cache),
        BenchmarkCase(name: "from a task", targets: targets) { try await read(cache, keys, $0) },
        BenchmarkCase(name: "from the main actor", targets: targets) {
          try await readOnMain(cache, keys, $0)
        },
      ]
    }
  ]

  @concurrent
  private static func read(_ cache: Cache<String, Int>, _ keys: Keys<String>, _ count: Int)
    async throws
  {
    for index in 0..<count { blackHole(try await cache.get(keys[index]).value) }
  }

  @MainActor
  private static func readOnMain(_ cache: Cache<String, Int>, _ keys: Keys<String>, _ count: Int)
    async throws
  {
    for index in 0..<count { blackHole(try await cache.get(keys[index]).value) }
  }
}
