import StrataVerbs

/// A random program on a cache above an origin. Its operations run one after another.
struct ReadProgram: Trial {
  enum Step: Equatable, Sendable {
    case get(key: Int)
    case set(key: Int, value: Int)
    case remove(key: Int)
    case clear
    case expire(key: Int?)
    /// The origin's answer until the next such step.
    case origin(OriginState)
    case tick
  }

  enum OriginState: Equatable, Sendable {
    case answers(Int)
    case misses
    case fails
  }

  var steps: [Step]
  /// The mode that a law checks if it can check either of two: `stored` or `reloading`.
  let isStored: Bool

  init(_ random: inout SeededGenerator, expires: Bool) {
    isStored = Bool.random(using: &random)
    steps = (0..<Int.random(in: 4...16, using: &random)).map { _ -> Step in
      let (key, value) = (
        Int.random(in: 0..<2, using: &random), Int.random(in: 0..<90, using: &random)
      )
      switch Int.random(in: 0..<16, using: &random) {
      case 0..<6: return .get(key: key)
      case 6..<8: return .set(key: key, value: value)
      case 8: return Bool.random(using: &random) ? .remove(key: key) : .clear
      case 9: return expires ? .expire(key: nil) : .get(key: key)
      case 10..<12: return expires ? .expire(key: key) : .set(key: key, value: value)
      case 12: return .tick
      default:
        let state = [OriginState.answers(100 + value), .misses, .fails].randomElement(
          using: &random)
        return .origin(state ?? .misses)
      }
    }
    steps += [.get(key: 0), .get(key: 1)]
  }

  private static func text(_ outcome: Promise<Int>.Outcome) -> String {
    switch outcome {
    case .success(let value): "value \(value)"
    case .failure(let error): error.isMiss ? "miss" : "failure"
    case .cancelled: "cancelled"
    }
  }

  var simpler: [ReadProgram] {
    withoutEach(\.steps)
  }

  var size: Int { steps.count }
  var lines: [String] { (isStored ? ["stored"] : ["reloading"]) + steps.map { "\($0)" } }

  /// The caches that a program uses: the one that it writes, and those that it reads.
  struct Parts: Sendable {
    let cache: Cache<Int, Int>
    let readers: [Cache<Int, Int>]
  }

  /// Runs the program. For each get, returns the answers of all readers.
  ///
  /// - Parameter build: Makes the caches that the program uses, from a clock and an origin.
  func run(
    expire: (Cache<Int, Int>, Int?) -> Promise<Void> = { _, _ in Promise() },
    _ build: (TimeSource, Cache<Int, Int>) -> Parts
  ) -> [[String]] {
    let (clock, time) = TimeSource.manual()
    let state = Lock(OriginState.misses)
    let origin = Cache<Int, Int> { key in
      switch state.withLock({ $0 }) {
      case .answers(let value): Promise(value + 100 * key)
      case .misses: .miss
      case .fails: Promise(error: OriginFailure())
      }
    }
    let parts = build(clock, origin)
    var answers: [[String]] = []
    for step in steps {
      switch step {
      case .get(let key):
        answers.append(
          parts.readers.map { reader in
            settled(reader.get(key)).map(Self.text) ?? "no answer"
          })
      case .set(let key, let value): _ = settled(parts.cache.set(key, value))
      case .remove(let key): _ = settled(parts.cache.remove(key))
      case .clear: _ = settled(parts.cache.clear())
      case .expire(let key): _ = settled(expire(parts.cache, key))
      case .origin(let new): state.withLock { $0 = new }
      case .tick: time.advance(by: .seconds(1))
      }
    }
    return answers
  }

  /// The lawful answers of a cache that refreshes stale values, and returns such a value if the
  /// origin fails.
  var model: [[String]] {
    var values: [Int: (value: Int, isStale: Bool)] = [:]
    var state = OriginState.misses
    var answers: [[String]] = []
    for step in steps {
      switch step {
      case .get(let key):
        let answer: Promise<Int>.Outcome
        if let found = values[key], !found.isStale {
          answer = .success(found.value)
        } else {
          switch state {
          case .answers(let value):
            values[key] = (value + 100 * key, false)
            answer = .success(value + 100 * key)
          case .misses:
            values[key] = nil
            answer = .failure(CacheError.notFound)
          case .fails: answer = values[key].map { .success($0.value) } ?? .failure(OriginFailure())
          }
        }
        answers.append([Self.text(answer)])
      case .set(let key, let value): values[key] = (value, false)
      case .remove(let key): values[key] = nil
      case .clear: values = [:]
      case .expire(let key):
        for (other, entry) in values where key ?? other == other {
          values[other] = (entry.value, true)
        }
      case .origin(let new): state = new
      case .tick: break
      }
    }
    return answers
  }
}

/// The error of an origin that fails.
struct OriginFailure: Error {}

/// A reload that begins while an older load is in flight, and the order in which they end.
struct ReloadTrial: Trial {
  let reloadEndsFirst: Bool
  /// Whether the pool is around the level and its origin, or around the origin only.
  let poolsAll: Bool

  init(_ random: inout SeededGenerator) {
    (reloadEndsFirst, poolsAll) = (.random(using: &random), .random(using: &random))
  }

  var simpler: [ReloadTrial] { [] }
  var size: Int { 1 }
  var lines: [String] {
    [
      poolsAll ? "(a + o).pooled()" : "a + o.pooled()", "get(0)", "reloading.get(0)",
      reloadEndsFirst ? "the second load ends first" : "the loads end in order",
    ]
  }
}

/// A level above an origin, with a pool around both or around the origin only. The loads of the
/// origin end when the law ends them.
struct HeldLoads: Sendable {
  private let loads: Lock<[Promise<Int>.Continuation]>
  let level: Cache<Int, Int>
  let cache: Cache<Int, Int>

  init(poolsAll: Bool) {
    let loads = Lock<[Promise<Int>.Continuation]>([])
    let origin = Cache<Int, Int> { _ in
      Promise { continuation in loads.withLock { $0.append(continuation) } }
    }
    let level = Cache<Int, Int>.dictionary()
    (self.loads, self.level) = (loads, level)
    cache = poolsAll ? (level + origin).pooled() : level + origin.pooled()
  }

  /// The loads that have begun, in order.
  var begun: [Promise<Int>.Continuation] { loads.withLock { $0 } }
}
