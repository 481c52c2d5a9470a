import StrataVerbs

/// A program of gets and writes, for whose promises no code waits.
struct WorkTrial: Trial {
  enum Step: CustomStringConvertible, Sendable {
    case get(Int)
    case set(Int)
    case remove(Int)
    case cancel
    case wait(Int)

    var description: String {
      switch self {
      case .get(let key): "get(\(key))"
      case .set(let key): "set(\(key))"
      case .remove(let key): "remove(\(key))"
      case .cancel: "cancel the last get"
      case .wait(let time): "wait \(time) ms"
      }
    }
  }

  var steps: [Step]

  init(_ random: inout SeededGenerator) {
    steps = (0..<Int.random(in: 1...8, using: &random)).map { _ in
      let key = Int.random(in: 0..<3, using: &random)
      return switch Int.random(in: 0..<8, using: &random) {
      case 0...2: .get(key)
      case 3, 4: .set(key)
      case 5: .remove(key)
      case 6: .cancel
      default: .wait(Int.random(in: 1...6, using: &random))
      }
    }
  }

  var simpler: [WorkTrial] {
    withoutEach(\.steps)
  }

  var size: Int { steps.count }
  var lines: [String] { steps.map(\.description) }

  /// Whether a get is cancelled.
  var cancels: Bool {
    steps.contains { if case .cancel = $0 { true } else { false } }
  }

  /// Runs the program.
  ///
  /// - Parameter get: Gets a key. By default, it gets the key from the cache.
  func run(
    _ cache: Cache<Int, Int>, _ site: Worksite, get: ((Int) -> Promise<Int>)? = nil
  ) {
    let get = get ?? cache.get
    var last: Promise<Int>?
    for (number, step) in steps.enumerated() {
      switch step {
      case .get(let key): last = get(key)
      case .set(let key): _ = cache.set(key, 100 + number)
      case .remove(let key): _ = cache.remove(key)
      case .cancel: last?.cancel()
      case .wait(let time): site.advance(time)
      }
    }
  }
}

/// The levels of a pipeline in virtual time, and the operations that run in them.
final class Worksite: Sendable {
  private struct State {
    var values: [Int: Int] = [:]
    var running: [Int: String] = [:]
    var begun = 0
    var loads = 0
    var closings = 0
  }

  private let state = Lock(State())
  private let clock: TimeSource
  private let time: ManualTime
  let memory: Cache<Int, Int>

  init() {
    (clock, time) = TimeSource.manual()
    memory = Cache<Int, Int>.dictionary().clocked(by: clock)
  }

  var loads: Int { state.withLock(\.loads) }
  var begun: Int { state.withLock(\.begun) }
  var closings: Int { state.withLock(\.closings) }

  func advance(_ milliseconds: Int) {
    for _ in 0..<milliseconds { time.advance(by: .milliseconds(1)) }
  }

  /// Returns the operations that run when a promise settles, or `nil` if it fails or doesn't
  /// settle.
  func running(at end: Promise<Void>) -> [String]? {
    let seen = Lock<[String]?>(nil)
    end.onSuccess {
      let running = self.state.withLock { $0.running.values.sorted() }
      seen.withLock { $0 = running }
    }
    for _ in 0..<1_000 where end.outcome == nil { advance(1) }
    return seen.withLock { $0 }
  }

  private func take<Value: Sendable>(
    _ milliseconds: Int, _ name: String, _ work: @escaping @Sendable () throws -> Value
  ) -> Promise<Value> {
    let number = state.withLock { state in
      state.begun += 1
      state.running[state.begun] = "\(name) runs"
      return state.begun
    }
    return Promise(()).delayed(by: .milliseconds(milliseconds), clock: clock).map { try work() }
      .observed { _ in self.state.withLock { $0.running[number] = nil } }
  }

  var origin: Fetcher<Int, Int> {
    Fetcher { key in
      self.state.withLock { $0.loads += 1 }
      return self.take(4, "load(\(key))") { key * 10 }
    }
  }

  /// A level whose writes take time. It counts how often it's closed.
  var store: Cache<Int, Int> {
    Cache<Int, Int>(
      keepsOrder: false,
      get: { key in Promise(self.state.withLock { $0.values[key] }, or: CacheError.notFound) },
      set: { key, value in
        self.take(3, "set(\(key))") { self.state.withLock { $0.values[key] = value } }
      },
      remove: { key in
        self.take(2, "remove(\(key))") { self.state.withLock { $0.values[key] = nil } }
      }
    ).holding(
      RunningWork(.steps) {
        self.state.withLock { $0.closings += 1 }
        return Promise()
      })
  }
}
