import Dispatch
import Strata

extension Benchmark {
  /// The time that each verb, such as `retrying`, adds to a hit, and the duration of bulk gets.
  static let verbs = [
    hitThroughAVerb, hitThroughAllVerbs, hitThroughAPipeline, hopToAQueue, manyKeys, bulkLoads,
  ]

  private static let hitThroughAVerb = Benchmark(.verbs, "hit, through a verb") { scale in
    let (keys, level) = filled(scale)
    let plain = "plain hit"
    let targets: [Target] = [.added(to: plain, steps: 1), .allocations()]
    let calling: [Target] = [.added(to: plain, steps: 2), .allocations()]  // Calls a user closure.
    let conditioned = Codec<Int, Int>(decode: { $0 + 1 }, encode: { $0 - 1 })
      .conditioned(decoding: { $0 > 0 }, encoding: { $0 > 0 })
    func subject(
      _ name: String, _ targets: [Target], _ cache: Cache<String, Int>
    ) -> BenchmarkCase {
      .reading(name, keys, targets, from: cache)
    }
    return [
      .reading(plain, keys, from: level),
      subject("named", targets, level.named("memory")),
      subject("conditioned", calling, level.conditioned { !$0.isEmpty }),
      subject(
        "switching", calling, .switching(level, level) { $0.isEmpty ? .second : .first }),
      subject("postProcessed", calling, level.postProcessed(Transformer { $0 + 1 })),
      subject("postProcessed, by key", calling, level.postProcessed { $0.isEmpty ? 0 : $1 }),
      subject(
        "mapValues, by key", calling,
        level.mapValues(
          decode: { $0.isEmpty ? 0 : $1 }, encode: { $0.isEmpty ? 0 : $1 })),
      subject("a conditioned codec", calling, level <*> conditioned),
      subject("retrying", targets, level.retrying(3, backoff: .constant(.seconds(1)))),
      subject("timingOut", targets, level.timingOut(after: .seconds(1))),
      subject("recovering", targets, level.recovering { _, _ in 0 }),
      subject("limited", [.allocations()], level.limited(toConcurrentGets: 4)),
    ]
  }

  // Of the seven verbs, four add a call to each hit. The name and the two identities add nothing. A
  // verb that calls a user's function for each hit may add 10 ns.
  private static let hitThroughAllVerbs = Benchmark(.verbs, "hit, through all verbs together") {
    scale in
    let (keys, level) = filled(scale)
    let plain = "plain hit"
    func passing(_ cache: Cache<String, Int>) -> Cache<String, Int> {
      (cache.postProcessed(.identity).broadcasting().cache <*> .identity).retrying(3)
        .recovering { _, error in throw error }.timingOut(after: .seconds(1))
    }
    let calling = level.named("memory").conditioned { !$0.isEmpty }
      .mapValues(decode: { $1 }, encode: { $1 })
    return [
      .reading(plain, keys, from: level),
      .reading(
        "seven verbs", keys, [.added(to: plain, steps: 4), .allocations()],
        from: passing(level.named("memory"))),
      .reading(
        "two more, which call functions", keys,
        [.added(to: "seven verbs", steps: 2, must: 10, aim: 3), .allocations()],
        from: passing(calling)),
      .reading(
        "retrying, recovering, timingOut, pooled", keys,
        [.added(to: plain, steps: 1, must: 10, aim: 3), .allocations()],
        from: level.retrying(3).recovering { _, error in throw error }
          .timingOut(after: .seconds(1)).pooled()),
    ]
  }

  private static let hitThroughAPipeline = Benchmark(.verbs, "hit above all the verbs") { scale in
    let (keys, level) = filled(scale)
    let plain = "plain hit"
    let origin = Fetcher<String, Int>(offMainThread: false) { _ in 1 }
    let bare = level + origin
    let full =
      level
      + origin.conditioned { !$0.isEmpty }.limited(toConcurrentGets: 4).retrying(3)
      .timingOut(after: .seconds(30)).recovering { _, error in throw error }
    return [
      .reading(plain, keys, from: bare),
      .reading(
        "verbs below", keys, [.ratio(must: 1.1, aim: 1), .allocations()], from: full),
    ]
  }

  private static let hopToAQueue = Benchmark(.verbs, "hit, awaited") { scale in
    let (keys, level) = filled(scale)
    let dispatched = level.dispatched(on: DispatchQueue(label: "bench"))
    return [
      BenchmarkCase(name: "plain") { try await read(level, keys, $0) },
      BenchmarkCase(name: "dispatched") { try await read(dispatched, keys, $0) },
    ]
  }

  private static let manyKeys = Benchmark(.verbs, "100 keys at a time, each found") { scale in
    let (keys, level) = filled(scale)
    let batched = level.batched()
    let batch = (0..<100).map { keys[$0] }
    func subject(
      _ name: String, _ targets: [Target] = [], _ read: @escaping @Sendable () -> Void
    ) -> BenchmarkCase {
      BenchmarkCase(name: name, targets: targets, operationsEach: 100) { count in
        for _ in 0..<count { read() }
      }
    }
    return [
      subject("one by one") { for key in batch { blackHole(level.get(key)) } },
      subject("one by one, into a dictionary") {
        var found: [String: Int] = [:]
        found.reserveCapacity(batch.count)
        for key in batch { found[key] = level.get(key).outcome?.value }
        blackHole(found)
      },
      subject("outcomes", [.ratio(must: 1.3, aim: 1), .allocations(must: 0.1, aim: 0.02)]) {
        blackHole(level.outcomes(of: batch))
      },
      subject("batched") { blackHole(batched.get(batch)) },
    ]
  }

  private static let bulkLoads = Benchmark(.verbs, "100 single gets, one call of a bulk loader") {
    scale in
    let (keys, _) = filled(scale)
    let batch = (0..<100).map { keys[$0] }
    let load: @Sendable ([String]) -> Promise<[String: Result<Int, any Error>]> = { keys in
      Promise(Dictionary(keys.map { ($0, .success(1)) }) { one, _ in one })
    }
    let collecting = Fetcher<String, Int>.bulkLoading(window: .seconds(1), limit: 100, load)
    return [
      BenchmarkCase(name: "the loader, called once", operationsEach: 100) { count in
        for _ in 0..<count { blackHole(load(batch)) }
      },
      BenchmarkCase(name: "bulkLoading", operationsEach: 100) { count in
        for _ in 0..<count { blackHole(batch.map { collecting.get($0) }) }
      },
    ]
  }

  @concurrent
  private static func read(_ cache: Cache<String, Int>, _ keys: Keys<String>, _ count: Int)
    async throws
  {
    for index in 0..<count { blackHole(try await cache.get(keys[index]).value) }
  }

  private static func filled(_ scale: Scale) -> (Keys<String>, Cache<String, Int>) {
    let keys = Keys(scale.entries(1_024), String.numbered)
    let level: Cache<String, Int> = .memory(capacity: 2_048)
    for key in keys.all { _ = level.set(key, 1) }
    return (keys, level)
  }
}
