import Strata

extension Benchmark {
  /// The cost of expiration: the check on a hit, and the eviction of expired entries.
  static let time = [hitWithAnAge, expiry]

  // With a stopped clock, a case measures only the expiration check. With a running clock, it also
  // measures how long reading the clock takes.
  private static let hitWithAnAge = Benchmark(.time, "hit, String of 37 bytes, 1,024 entries") {
    scale in
    let keys = Keys(scale.entries(1_024), String.numbered)
    let (dictionary, still) = (LockedDictionary<String, Int>(), TimeSource.system.now())
    let standing = TimeSource(now: { still }, after: TimeSource.system.after)
    let plain: Cache<String, Int> = .memory(capacity: 2_048)
    let stamped: Cache<String, Stamped<Int>> = .memory(capacity: 2_048)
    let idleTracked: Cache<String, Stamped<Int>> = .memory(
      capacity: 2_048, expiringAfterAccess: .seconds(3_600))
    let stopped: Cache<String, Stamped<Int>> = .memory(capacity: 2_048, clock: standing)
    let checked: Cache<String, Int> = stopped.expiring(after: .seconds(86_400))
    let expiring: Cache<String, Int> = stamped.expiring(after: .seconds(86_400))
    let bounded = stopped.aged(atMost: .seconds(86_400))
    let freshness = Freshness(for: .seconds(86_400))
    let refreshing = stamped.refreshing(freshness, from: Fetcher(offMainThread: false) { _ in 1 })
    let now = TimeSource.system.now
    for key in keys.all {
      dictionary[key] = 1
      _ = plain.set(key, 1)
      _ = expiring.set(key, 1)
      _ = checked.set(key, 1)
      _ = idleTracked.set(key, Stamped(1, storedAt: now(), lasting: .seconds(86_400)))
    }
    func added(_ must: Double, aim: Double = 3) -> [Target] {
      [
        Target(measure: .added(to: "memory level", steps: 1), must: must, aim: aim),
        .allocations(),
      ]
    }
    return [
      .reading("dictionary under one lock", keys) { dictionary[$0] },
      .reading("memory level", keys) { plain.get($0) },
      .reading("memory level, stamped", keys, added(10)) { stamped.get($0) },
      .reading("expiring, clock stopped", keys, added(15)) { checked.get($0) },
      .reading("aged, clock stopped", keys, added(15)) { bounded.get($0) },
      .reading("expiring", keys, added(12, aim: 8)) { expiring.get($0) },
      .reading("refreshing, fresh", keys, added(60)) { refreshing.get($0) },
      .reading("expiring after access", keys) { idleTracked.get($0) },
      .reading("only the system's clock", keys) { _ in now() },
    ]
  }

  private static let expiry = Benchmark(group: .time, title: expiryTitle) { rounds, scale in
    let count = scale.entries(1_000_000)
    let runs = (0..<min(rounds, 3)).map { _ in Expiry(count) }
    func row(
      _ subject: String, _ unit: Row.Unit = .time, _ bounds: (must: Double, aim: Double)? = nil,
      _ figure: (Expiry) -> Double
    ) -> Row? {
      Row(expiryTitle, subject, unit, runs.map(figure), of: .time, bounds: bounds)
    }
    return [
      row("set before, mean") { $0.before.mean },
      row("set after, mean") { $0.after.mean },
      row("set after, 999 of 1,000") { $0.after.percentiles([0.999])[0] },
      row("set after, worst") { $0.after.worst },
      row("full scan of a dictionary") { $0.scan },
      row("expired entries that remain", .bytes, (0, 0)) { Double($0.left) },
    ].compactMap { $0 }
  }

  private static let expiryTitle = "100,000 sets after a million entries expire"
}

/// Measures the duration of each `set` call before and after all entries of a level have expired.
private struct Expiry {
  private(set) var (before, after) = (OperationTimes(), OperationTimes())
  private(set) var scan = 0.0
  private(set) var left = 0

  init(_ count: Int) {
    let (time, clock) = TimeSource.manual()
    let evicted = Lock(0)
    let level: Cache<Int, Stamped<Int>> = .memory(capacity: .count(2 * count), clock: time) {
      _, _, cause in
      if cause == .expired { evicted.withLock { $0 += 1 } }
    }
    var dictionary: [Int: Stamped<Int>] = [:]
    func store(_ key: Int, lasting lifetime: Duration) -> Double {
      let value = Stamped(key, storedAt: clock.now, lasting: lifetime)
      dictionary[key] = value
      return OperationTimes.timing { level.set(key, value) }.time
    }
    for key in 0..<count { before.add(store(key, lasting: .seconds(60 + key % 60))) }
    clock.advance(by: .seconds(3_600))
    let now = clock.now
    scan = OperationTimes.timing { dictionary.values.filter { $0.isValid(at: now) }.count }.time
    for key in count..<count + max(64, count / 10) {
      after.add(store(key, lasting: .seconds(86_400)))
    }
    left = count - evicted.withLock { $0 }
  }
}
