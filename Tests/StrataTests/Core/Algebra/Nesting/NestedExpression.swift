import StrataLaws

@testable import StrataCore
@testable import StrataVerbs

/// A sum with nested sums below verbs.
indirect enum NestedExpression: CustomStringConvertible, Sendable {
  case level(Int)
  case sum(NestedExpression, NestedExpression)
  case verb(NestedVerb, NestedExpression)

  /// The cache of this expression.
  func cache(_ levels: [Cache<Int, Int>]) -> Cache<Int, Int> {
    switch self {
    case .level(let number): levels[number]
    case .sum(let upper, let lower): upper.cache(levels) + lower.cache(levels)
    case .verb(let verb, let below): verb.apply(below.cache(levels))
    }
  }

  /// The levels of the flat sum, which has only the verbs that change something.
  func flat(_ levels: [Cache<Int, Int>]) -> [Cache<Int, Int>] {
    switch self {
    case .level(let number): [levels[number]]
    case .sum(let upper, let lower): upper.flat(levels) + lower.flat(levels)
    case .verb(let verb, let below): below.flat(levels).map { verb.distributed?($0) ?? $0 }
    }
  }

  var description: String {
    switch self {
    case .level(let number): "abcdef".dropFirst(number).prefix(1).description
    case .sum(let upper, let lower): "(\(upper) + \(lower))"
    case .verb(let verb, let below): "\(below).\(verb.name)"
    }
  }

  /// Returns a random expression over consecutive levels.
  static func random(
    _ levels: Range<Int>, _ verbs: [NestedVerb], using random: inout SeededGenerator
  ) -> NestedExpression {
    var result: NestedExpression
    if levels.count == 1 {
      result = .level(levels.lowerBound)
    } else {
      let middle = Int.random(in: levels.lowerBound + 1..<levels.upperBound, using: &random)
      result = .sum(
        self.random(levels.lowerBound..<middle, verbs, using: &random),
        self.random(middle..<levels.upperBound, verbs, using: &random))
    }
    while Int.random(in: 0..<5, using: &random) < (levels.count == 1 ? 1 : 3) {
      guard let verb = verbs.randomElement(using: &random) else { break }
      // Above another verb, `awaited` limits the whole sum.
      if case .verb = result, verb.name.hasPrefix("awaited") { continue }
      result = .verb(verb, result)
    }
    return result
  }

  /// Simpler expressions over the same levels.
  var simpler: [NestedExpression] {
    switch self {
    case .level: []
    case .sum(let upper, let lower):
      upper.simpler.map { .sum($0, lower) } + lower.simpler.map { .sum(upper, $0) }
    case .verb(let verb, let below): [below] + below.simpler.map { .verb(verb, $0) }
    }
  }
}

/// A verb whose arguments make it transparent, or that distributes over the levels of a sum.
struct NestedVerb: Sendable {
  let name: String
  /// Whether a sum relies on a sum below this verb to repair itself after failed writes.
  var isTrusted = true
  /// The verb on each level, or `nil` if the verb is transparent.
  var distributed: (@Sendable (Cache<Int, Int>) -> Cache<Int, Int>)?
  let apply: @Sendable (Cache<Int, Int>) -> Cache<Int, Int>

  static let trusted: [NestedVerb] = [
    NestedVerb(name: "named") { $0.named("n") },
    NestedVerb(name: "observed") { $0.observed { _ in } },
    NestedVerb(name: "named.observed") { $0.named("n").observed { _ in } },
    NestedVerb(name: "retrying") { $0.retrying(0) },
    NestedVerb(name: "pooled") { $0.pooled() },
    NestedVerb(name: "conditioned") { $0.conditioned { (_: Int) throws in true } },
    NestedVerb(name: "recovering") { $0.recovering { (_: Int, error) throws in throw error } },
    NestedVerb(name: "remembering") { $0.rememberingMisses(for: .zero) },
    NestedVerb(name: "limited") { $0.limited(toConcurrentGets: 1_000) },
    NestedVerb(name: "timingOut") { $0.timingOut(after: .seconds(3_600)) },
    NestedVerb(name: "transformingGet") { $0.transformingGet("own") { $0 } },
    NestedVerb(name: "clocked") { $0.clocked(by: .system) },
    NestedVerb(name: "identity") { $0 <*> .identity },
    NestedVerb(name: "postProcessed") { $0.postProcessed { (_: Int, value: Int) throws in value } },
    NestedVerb(name: "switching") { cache in .switching(cache, cache) { _ in .first } },
    distributing("keys") { { (key: Int) throws in key ^ 1 } <^> $0 },
    distributing("codec") {
      $0 <*> Codec(decode: { (v: Int) throws in v - 1 }, encode: { (v: Int) throws in v + 1 })
    },
    distributing("awaited(3)") { $0.awaitedInSum(atMost: .seconds(3)) },
    distributing("awaited(9)") { $0.awaitedInSum(atMost: .seconds(9)) },
  ]

  /// Verbs above which a sum hides a key if a write fails, because they might not pass it on.
  static let untrusted: [NestedVerb] = [
    NestedVerb(name: "circuit", isTrusted: false) {
      $0.breakingCircuit(after: .failures(1_000_000), retryAfter: .seconds(1))
    },
    NestedVerb(name: "transforming", isTrusted: false) { $0.transforming("own") { $0 } },
    NestedVerb(name: "broadcasting", isTrusted: false) { $0.broadcasting().cache },
    NestedVerb(name: "promiseCodec", isTrusted: false) {
      $0 <*> Codec(decode: { Promise($0) }, encode: { Promise($0) })
    },
    NestedVerb(name: "promiseKeys", isTrusted: false) {
      $0.mapKeys(Transformer { (key: Int) in Promise(key) })
    },
    NestedVerb(name: "updating", isTrusted: false) {
      $0.updating(from: Fetcher { (_: Int) throws -> Int in throw CacheError.notFound }).cache
    },
  ]

  private static func distributing(
    _ name: String, _ verb: @escaping @Sendable (Cache<Int, Int>) -> Cache<Int, Int>
  ) -> NestedVerb {
    NestedVerb(name: name, distributed: verb, apply: verb)
  }
}
