import Strata

extension Benchmark {
  /// Operations with observers, compared with the same operations without observers.
  static let watching = [hitUnderWatch, setUnderWatch, backFillUnderWatch]

  private static let hitUnderWatch = Benchmark(.verbs, "hit, watched") { scale in
    let (keys, level) = filled(scale)
    let plain = "plain hit"
    let free: [Target] = [.ratio(to: plain, must: 1.1, aim: 1), .allocations()]
    func reporting(_ must: Double, _ aim: Double) -> [Target] {
      [Target(measure: .added(to: plain, steps: 1), must: must, aim: aim), .allocations()]
    }
    let reported: [Target] = [.added(to: plain, steps: 1, must: 10, aim: 3), .allocations()]
    let (broadcasting, changes) = level.broadcasting()
    let statistics = CacheStatistics()
    let two = (level.named("memory") + .memory(capacity: 16).named("lower")).named("both")
    return [
      .reading(plain, keys, from: level),
      .reading("named, unobserved", keys, free, from: level.named("memory")),
      .reading("broadcasting, no listener", keys, reported, from: broadcasting),
      .listened("broadcasting, one listener", keys, reported, from: broadcasting, changes),
      .reading("observed", keys, reporting(60, 30), from: level.observed { blackHole($0) }),
      .reading(
        "observed, measuring hits", keys,
        from: level.observed(measuringHits: true) { blackHole($0) }),
      .reading(
        "Statistics", keys, reporting(10, 3), from: level.observed(by: statistics.observer)),
      .reading("two stages and a sum, observed", keys, from: two.observed { blackHole($0) }),
      .withProvenance("with provenance", keys, from: level),
      .withProvenance("two stages and a sum, with provenance", keys, from: two),
    ]
  }

  private static let setUnderWatch = Benchmark(.verbs, "set, watched") { scale in
    let (keys, level) = filled(scale)
    func subject(_ name: String, _ cache: Cache<String, Int>, _ held: Any? = nil) -> BenchmarkCase {
      let counter = Counter()
      nonisolated(unsafe) let held = held  // Only kept alive.
      return BenchmarkCase(name: name) { count in
        let first = counter.take(count)
        for index in first..<first + count { blackHole(cache.set(keys[index], index)) }
        withExtendedLifetime(held) {}
      }
    }
    let (broadcasting, changes) = level.broadcasting()
    let (listened, ownChanges) = level.broadcasting()
    blackHole(changes)
    return [
      subject("plain set", level),
      subject("named, unobserved", level.named("memory")),
      subject("broadcasting, no listener", broadcasting),
      subject(
        "broadcasting, one listener", listened, keys.all.first.map { ownChanges.stream(for: $0) }),
      subject("observed", level.observed { blackHole($0) }),
      subject("Statistics", level.observed(by: CacheStatistics().observer)),
    ]
  }

  // The upper level has a capacity of zero, so each get hits the lower level.
  private static let backFillUnderWatch = Benchmark(.verbs, "hit below and back-fill, watched") {
    scale in
    let (keys, level) = filled(scale)
    let sum = .memory(capacity: 0) + level
    return [
      .reading("plain", keys, from: sum),
      .reading("observed", keys, from: sum.observed { blackHole($0) }),
    ]
  }

  private static func filled(_ scale: Scale) -> (Keys<String>, Cache<String, Int>) {
    let keys = Keys(scale.entries(1_024), String.numbered)
    let level: Cache<String, Int> = .memory(capacity: 2_048)
    for key in keys.all { _ = level.set(key, 1) }
    return (keys, level)
  }
}

extension BenchmarkCase {
  /// Creates a case that reads from the cache while one listener is receiving the changes of the
  /// first key.
  fileprivate static func listened(
    _ name: String, _ keys: Keys<String>, _ targets: [Target], from cache: Cache<String, Int>,
    _ changes: CacheChanges<String, Int>
  ) -> BenchmarkCase {
    let stream = changes.stream(for: keys[0])
    let reading = reading(name, keys, targets, from: cache)
    return BenchmarkCase(name: name, targets: targets) { count in
      try await reading.run(count)
      withExtendedLifetime(stream) {}
    }
  }
}
