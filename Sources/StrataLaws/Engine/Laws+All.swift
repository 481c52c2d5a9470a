import Strata

extension Laws {
  /// Every structure there is, of what Strata has: no law is missing here, as `LawTableTests`
  /// checks.
  package static var all: [Laws] {
    ofCaches + ofVerbs + ofTime
      + [
        .codecs, .codec("name", .identity) { Int.random(in: 0...9, using: &$0) },
        .codecConditions, .promise, .exactlyOnce, .broadcasts, .plans, .traces,
      ]
  }

  private static var ofCaches: [Laws] {
    [
      .level(capacity: 3) { Cache<Int, Int>.memory(capacity: 3) },
      .level(isPersistent: true, consistency: .regular) { Cache<Int, Int>.dictionary() },
      .constants, .monoid, .sum, .keys, .values, .keyedValues,
    ]
  }

  private static var ofVerbs: [Laws] {
    [
      .transparency, .transparent("named") { $0.named("a") }, .pool, .limit, .conditions,
      .lateConditions, .lanes, .misses, .retry, .timeLimit, .recovery, .postProcessing,
      .transforming { cache, transformer, _ in cache.postProcessed(transformer) },
      .batch, .found, .bulkLoads,
    ]
  }

  private static var ofTime: [Laws] {
    [
      .expiry, .refresh, .updates, .stamps,
      .clock { _, elapsed in
        TimeSource(now: { .init(sinceEpoch: elapsed()) }, after: TimeSource.system.after)
      },
    ]
  }
}
