import StrataVerbs

extension Laws {
  /// All groups of laws, applied to Strata's own levels, verbs, and codecs. `LawTableTests` fails
  /// if one is missing.
  package static var all: [Laws] {
    ofCaches + ofVerbs + ofTime
      + [
        .codecs, .codec("name", .identity) { Int.random(in: 0...9, using: &$0) },
        .codecConditions, .compression, .promise, .exactlyOnce, .broadcasts, .plans, .traces,
      ]
  }

  private static var ofCaches: [Laws] {
    [
      .level(keeps: .upTo(3)) { Cache<Int, Int>.memory(capacity: 3) },
      .level(consistency: .regular, reopening: { _ in Cache<Int, Int>.dictionary() }),
      .level(consistency: .eventual(within: .seconds(60))) { Cache<Int, Int>.dictionary() },
      .lifetime(.seconds(60)) { time in
        Cache<Int, Stamped<Int>>.dictionary().clocked(by: time).expiring(after: .seconds(60))
      },
      .shared(hasLeases: true) { [.dictionary()] },
      .following(within: .seconds(60)) { [.dictionary()] },
      .fetcher(values: { (key: Int) in key }) { .constant(0).fetcher },
      .constants, .monoid, .sum, .patience, .keys, .values, .keyedValues,
    ]
  }

  private static var ofVerbs: [Laws] {
    [
      .transparency, .transparent("named") { $0.named("a") }, .pool, .limit, .urgency, .prefetch,
      .conditions,
      .lateConditions, .branches, .misses, .retry, .timeLimit, .circuit, .recovery, .postProcessing,
      .transforming { $0.postProcessed($1) },
      .batch, .outcomes, .bulkLoads, .memoization, .tags, .removal, .reading, .loader, .closing,
      .storage, .warmStarts, .provenance,
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
