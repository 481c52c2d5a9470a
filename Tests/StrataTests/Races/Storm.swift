import StrataLaws

@testable import StrataCore
@testable import StrataVerbs

/// Runs the operations of 200 tasks for one minute of virtual time.
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
    /// The outcome of each get, keyed by the index of the call.
    var gets: [Int: Get] = [:]
    /// Descriptions of failed gets and stale values. A value is stale if it was already replaced
    /// when the get began.
    var wrong: [String] = []
    fileprivate var older: [Older] = []
  }

  /// A get whose returned value is older than the newest value at the time of the call.
  fileprivate struct Older {
    let (index, key, value, newest): (Int, Int, Int, Int)
    let start: TimeSource.Instant
  }

  private let (time, clock) = TimeSource.manual()
  private let cache: Cache<Int, Int>
  /// The number of writes to each key. Each `set` increments its key's number, and stores the new
  /// number as the key's value.
  private let versions = Lock<[Int: Int]>([:])
  /// For each key, the versions whose writes failed, with the times of the failures. If a write
  /// fails after a get has begun, the get is allowed to return an earlier version.
  private let failed = Lock<[Int: [Int: TimeSource.Instant]]>([:])
  private let stores: [HangingStore]
  private let result = Lock(Result())

  /// Returns the calls of 200 tasks that each start an operation every second. Some operations are
  /// cancelled.
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
    // From here on, the levels work again, and late operations settle.
    for store in stores { store.end() }
    clock.advance(by: .seconds(60))
    for key in Self.keys { _ = get(key, plan.count + key) }
    clock.advance(by: .seconds(60))
    let failed = failed.withLock { $0 }
    return result.withLock { result in
      for get in result.older {
        let missed = (get.value + 1...get.newest).map { failed[get.key]?[$0] }
        if missed.allSatisfy({ $0.map { $0 >= get.start } == true }) { continue }
        result.wrong.append("get \(get.index) of \(get.key): \(get.value) after \(get.newest)")
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

  /// Records the failure of a write, such as a timeout or a refusal by a circuit breaker. After a
  /// refused write, the level keeps its older value.
  private func written(_ write: Promise<Void>, _ versions: [Int: Int]) -> Promise<Int> {
    write.observed { [failed, clock] outcome in
      guard case .failure(let error) = outcome else { return }
      var end = clock.now
      if case .circuitOpen? = error as? CacheError { end = .last }
      failed.withLock { failed in
        for (key, version) in versions { failed[key, default: [:]][version] = end }
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
          if value < newest {
            result.older.append(
              Older(index: index, key: key, value: value, newest: newest, start: start))
          }
        case .failure(let error): result.wrong.append("get \(index) of \(key): \(error)")
        case .cancelled: result.gets[index]?.isCancelled = true
        }
      }
    }
  }
}
