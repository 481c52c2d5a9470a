import StrataLaws

@testable import Strata

/// One minute.
final class Storm: Sendable {
  static let hanging = 0..<4
  private static let keys = 0..<40
  typealias Make =
    @Sendable (_ memory: Cache<Int, Int>, _ stores: [Cache<Int, Int>], Fetcher<Int, Int>) ->
    Cache<Int, Int>
  enum Action { case get, set, remove, clear, warn }
  typealias Call = (step: Int, key: Int, action: Action, cancelAfter: Int?)

  struct Result {
    struct Get {
      let key: Int
      var time: Duration?
      var isCancelled = false
    }
    /// The outcome of each call, by its index.
    var gets: [Int: Get] = [:]
    /// Failures, and values that an earlier call had already replaced.
    var wrong: [String] = []
    fileprivate var older: [(index: Int, key: Int, value: Int, newest: Int)] = []
  }

  private let (time, clock) = TimeSource.manual()
  private let cache: Cache<Int, Int>
  /// The number of writes of each key, which is its current value.
  private let versions = Lock<[Int: Int]>([:])
  /// The versions of each key whose writes a circuit has refused.
  private let refused = Lock<[Int: Set<Int>]>([:])
  private let stores: [HangingStore]
  private let result = Lock(Result())

  /// Two hundred tasks with an operation each second. Some operations are cancelled.
  static func plan(stream: Int, calls: Int = 200 * 60) -> [Call] {
    var random = SeededGenerator(stream: stream)
    return (0..<calls).map { _ in
      let action: Action =
        switch Int.random(in: 0..<200, using: &random) {
        case 0: .clear
        case 1..<3: .warn
        case 3..<20: .set
        case 20..<35: .remove
        default: .get
        }
      return (
        Int.random(in: 0..<6_000, using: &random), Int.random(in: keys, using: &random), action,
        random.chance(of: 5) ? Int.random(in: 0..<300, using: &random) : nil
      )
    }.sorted { $0.step < $1.step }
  }

  init(_ make: Make, stream: Int, hangs: Bool, clearHangs: Bool, fails: Bool = false) {
    let (time, versions) = (time, versions)
    stores = (0..<2).map {
      HangingStore(stream: stream + $0 * 10_000, time, clearHangs: clearHangs, fails: fails)
    }
    if hangs { for store in stores { store.begin() } }
    let origin = Fetcher<Int, Int> { key -> Promise<Int> in
      Promise(versions.withLock { $0[key, default: 0] }).delayed(by: .milliseconds(50), clock: time)
    }
    cache = make(.memory(), stores.map(\.cache), origin)
  }

  func run(_ plan: [Call]) -> Result {
    var (next, cancels) = (0, [(step: Int, promise: Promise<Int>)]())
    for step in 0..<6_000 {
      while next < plan.count, plan[next].step == step {
        let promise = begin(plan[next], next)
        if let delay = plan[next].cancelAfter { cancels.append((step + delay, promise)) }
        next += 1
      }
      for index in cancels.indices.reversed() where cancels[index].step <= step {
        cancels.remove(at: index).promise.cancel()
      }
      clock.advance(by: .milliseconds(10))
    }
    // The level works again, and late operations settle.
    for store in stores { store.end() }
    clock.advance(by: .seconds(60))
    for key in Self.keys { _ = get(key, plan.count + key) }
    clock.advance(by: .seconds(60))
    let refused = refused.withLock { $0 }
    return result.withLock { result in
      for (index, key, value, newest) in result.older {
        if (value + 1...newest).allSatisfy({ refused[key]?.contains($0) == true }) { continue }
        result.wrong.append("get \(index) of \(key): \(value) after \(newest)")
      }
      return result
    }
  }

  private func begin(_ call: Call, _ index: Int) -> Promise<Int> {
    switch call.action {
    case .get: return get(call.key, index)
    case .set:
      let version = versions.withLock { versions in
        versions[call.key, default: 0] += 1
        return versions[call.key, default: 0]
      }
      return written(cache.set(call.key, version), [call.key: version])
    case .remove:
      let version = versions.withLock { versions in
        versions[call.key, default: 0] += 1
        return versions[call.key, default: 0]
      }
      return written(cache.remove(call.key), [call.key: version])
    case .clear:
      let versions = versions.withLock { versions in
        for key in Self.keys { versions[key, default: 0] += 1 }
        return versions
      }
      return written(cache.clear(), versions)
    case .warn:
      cache.memoryWarning()
      return Promise(0)
    }
  }

  /// Records a write that was refused. The level keeps the older value.
  private func written(_ write: Promise<Void>, _ versions: [Int: Int]) -> Promise<Int> {
    write.observed { [refused] outcome in
      guard case .failure(let error) = outcome else { return }
      if case .timedOut? = error as? CacheError { return }
      refused.withLock { refused in
        for (key, version) in versions { refused[key, default: []].insert(version) }
      }
    }.map { 0 }
  }

  private func get(_ key: Int, _ index: Int) -> Promise<Int> {
    let (start, newest) = (clock.now, versions.withLock { $0[key, default: 0] })
    result.withLock { $0.gets[index] = Result.Get(key: key) }
    return cache.get(key).observed { [self] outcome in
      let duration = start.duration(to: clock.now)
      result.withLock { result in
        if !outcome.isCancelled { result.gets[index]?.time = duration }
        switch outcome {
        case .success(let value):
          if value < newest { result.older.append((index, key, value, newest)) }
        case .failure(let error): result.wrong.append("get \(index) of \(key): \(error)")
        case .cancelled: result.gets[index]?.isCancelled = true
        }
      }
    }
  }
}

/// A level in which operations on some keys hang, either forever or for a while, or settle late.
final class HangingStore: Sendable {
  private let time: TimeSource
  private let clearHangs: Bool
  private let fails: Bool
  private let order = OperationOrder(.level)
  private let contents = Lock<[Int: Int]>([:])
  private let hangs = Lock(false)
  private let random: Lock<SeededGenerator>
  private let forever = Lock<[any Sendable]>([])
  private let clears = Lock(Promise(()))

  init(stream: Int, _ time: TimeSource, clearHangs: Bool, fails: Bool) {
    (self.time, self.clearHangs, self.fails) = (time, clearHangs, fails)
    random = Lock(SeededGenerator(stream: stream + 1_000))
  }

  func begin() { hangs.withLock { $0 = true } }
  func end() { hangs.withLock { $0 = false } }

  /// Runs an effect. While operations hang, the effect may run late or never, or its answer may
  /// arrive late.
  private func run<Value: Sendable>(
    _ key: Int?, _ effect: @escaping @Sendable (inout [Int: Int]) -> Promise<Value>
  ) -> Promise<Value> {
    let effect = { @Sendable [contents] in contents.withLock(effect) }
    let mayHang = hangs.withLock { $0 } && (key.map(Storm.hanging.contains) ?? clearHangs)
    guard mayHang else { return later(.milliseconds(1)).flatMap(effect) }
    let (fate, delay) = random.withLock { random in
      (Int.random(in: 0..<8, using: &random), Int.random(in: 0..<20_000, using: &random))
    }
    switch fate {
    case 0: return Promise { continuation in self.forever.withLock { $0.append(continuation) } }
    case 1:
      let answer = effect()
      return later(.milliseconds(delay)).flatMap { answer }
    case 2: return later(.milliseconds(delay)).flatMap(effect)
    case 3 where fails:
      return later(.milliseconds(5_000 + delay)).flatMap { Promise(error: CacheError.abandoned) }
    default: return later(.milliseconds(1)).flatMap(effect)
    }
  }

  /// Runs an operation after the clears that were called earlier.
  private func behindClears<Value: Sendable>(
    _ work: @escaping @Sendable () -> Promise<Value>
  ) -> Promise<Value> {
    let clear = clears.withLock { $0 }
    return clear.outcome == nil ? clear.flatMapOutcome { _ in work() } : work()
  }

  private func later(_ delay: Duration) -> Promise<Void> {
    Promise(()).delayed(by: delay, clock: time)
  }

  var cache: Cache<Int, Int> {
    let order = order
    @Sendable func write(
      _ key: Int, _ effect: @escaping @Sendable (inout [Int: Int]) -> Void
    ) -> Promise<Void> {
      order.write(OperationOrder.hash(key)) {
        self.run(key) { contents in
          effect(&contents)
          return Promise()
        }
      }
    }
    return Cache(
      get: { key in
        self.behindClears {
          order.read(OperationOrder.hash(key)) {
            self.run(key) { Promise($0[key], or: CacheError.notFound) }
          }
        }
      },
      set: { key, value in self.behindClears { write(key) { $0[key] = value } } },
      remove: { key in self.behindClears { write(key) { $0[key] = nil } } },
      clear: {  // Waits for no write of one key.
        let clear = self.behindClears {
          self.run(nil) { contents in
            contents = [:]
            return Promise()
          }
        }
        self.clears.withLock { $0 = clear }
        return clear
      }
    ).clocked(by: time)
  }
}
