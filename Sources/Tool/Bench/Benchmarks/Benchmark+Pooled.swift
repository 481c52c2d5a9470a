import Strata

extension Benchmark {
  /// The costs of a hit in a pooled level, a hit in a level above a pooled fetcher, and a thousand
  /// gets that share one load.
  static let pooled = [hitInAPool, overlapping]

  private static let hitInAPool = Benchmark(.pooled, "hit, pooled or not") { scale in
    let keys = Keys(scale.entries(1_024), String.numbered)
    let level: Cache<String, Int> = .memory(capacity: 2_048)
    for key in keys.all { _ = level.set(key, 1) }
    let pooled = level.pooled()
    let sum = (level + Fetcher(offMainThread: false) { _ in 1 }).pooled()
    let right = level + Fetcher(offMainThread: false) { _ in 1 }.pooled()
    let targets: [Target] = [.ratio(must: 1.6, aim: 1.1), .allocations()]
    return [
      .reading("plain hit", keys, from: level),
      .reading("pooled hit", keys, targets, from: pooled),
      .reading("hit in a pooled sum", keys, targets, from: sum),
      .reading("hit above a pool", keys, targets, from: right),
    ]
  }

  private static let overlapping = Benchmark(.pooled, "1,000 overlapping gets of one key") { _ in
    let (requested, loads) = (Counter(), Counter())
    let origin = Lock<Promise<Int>.Continuation?>(nil)
    let fetcher = Fetcher<Int, Int> { _ in
      _ = loads.take(1)
      return Promise { continuation in origin.withLock { $0 = continuation } }
    }
    let pooled = fetcher.pooled()
    let fault: @Sendable () -> String? = {
      requested.value == loads.value
        ? nil : "expected \(requested.value) loads, but counted \(loads.value)"
    }
    let plain = BenchmarkCase(name: "1,000 promises, not pooled", operationsEach: 1_000) { count in
      for _ in 0..<count { blackHole(waiting { Promise { _ in } }) }
    }
    let shared = BenchmarkCase(
      name: "pooled", targets: [.allocations(must: 1.1, aim: 1.1)], operationsEach: 1_000,
      fault: fault
    ) { count in
      for _ in 0..<count {
        let key = requested.take(1)
        let waiting = waiting { pooled.get(key) }
        origin.withLock { $0.take() }?.succeed(key)
        blackHole(waiting)
      }
    }
    return [plain, shared]
  }

  private static func waiting(_ get: () -> Promise<Int>) -> [Promise<Int>] {
    var promises: [Promise<Int>] = []
    promises.reserveCapacity(1_000)
    for _ in 0..<1_000 { promises.append(get()) }
    return promises
  }
}
