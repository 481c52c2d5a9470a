import StrataCore

extension Laws {
  /// A function that makes a pipeline of a level in memory, a level that stores values, and an origin.
  public typealias Pipeline =
    @Sendable (
      _ memory: Cache<Int, Int>, _ store: Cache<Int, Int>, _ origin: Fetcher<Int, Int>
    ) -> Cache<Int, Int>

  /// The laws of `drained(atMost:)` and `close(atMost:)`.
  public static var closing: Laws { closing { $0 + ($1 + $2).pooled() } }

  /// Returns laws that check whether your own pipeline can be drained and closed.
  ///
  /// They find a cache that doesn't know the work of its levels. For example, a copy
  /// `Cache(get: a.get, set: a.set)` closes nothing of `a`.
  ///
  /// - Parameter pipeline: A closure that returns the pipeline, whose first level is `memory`. Called
  ///   for each case.
  public static func closing(_ pipeline: @escaping Pipeline) -> Laws {
    Laws(
      "closing",
      [
        law(
          "drain.settled", "drained(); nothing that began before is running",
          "When a cache is drained, its loads, writes, and back-fills have ended.", pipeline
        ) { site, cache in
          let running = site.running(at: cache.draining(atMost: .seconds(60)))
          return running == [] ? nil : running ?? ["drained() doesn't return"]
        },
        law(
          "close.loads", "close(); no load runs, and none begins",
          "After a cache is closed, no operation of a level below memory runs or begins.", pipeline
        ) { site, cache in
          guard let running = site.running(at: cache.closing(atMost: .seconds(60))) else {
            return ["close() doesn't return"]
          }
          let begun = site.begun
          for key in 0..<3 {
            _ = cache.get(key)
            _ = cache.set(key, 1)
          }
          site.advance(100)
          let late = site.begun - begun
          return running == [] && late == 0
            ? nil : running + (late > 0 ? ["\(late) operations begin after close()"] : [])
        },
        law(
          "close.memory", "m.get(k) == v; close(); get(k) == v",
          "A closed cache still returns the values that are in memory.", pipeline
        ) { site, cache in
          _ = site.running(at: cache.closing(atMost: .seconds(60)))
          let lost = (0..<3).filter { key in
            guard let value = site.memory.get(key).outcome?.value else { return false }
            return cache.get(key).outcome?.value != value
          }
          return lost.isEmpty ? nil : lost.map { "get(\($0)) isn't answered" }
        },
        law(
          "close.twice", "close(); close() == close()",
          "Closing a cache again, during the first call or later, waits for the same end.", pipeline
        ) { site, cache in
          let first = cache.closing(atMost: .seconds(60))
          let during = cache.closing(atMost: .seconds(60))
          _ = site.running(at: first)
          site.advance(100)
          let after = cache.closing(atMost: .seconds(60))
          site.advance(100)
          let isEnded = [first, during, after].allSatisfy { $0.outcome?.value != nil }
          return isEnded && site.closings == 1
            ? nil : (isEnded ? [] : ["an end is missing"]) + ["closed \(site.closings) times"]
        },
      ])
  }

  private static func law(
    _ name: String, _ statement: String, _ sentence: String, _ pipeline: @escaping Pipeline,
    _ seen: @escaping @Sendable (Worksite, Cache<Int, Int>) -> [String]?
  ) -> Law {
    Law(name, statement, sentence, draw: { WorkTrial(&$0) }) { trial in
      let site = Worksite()
      let cache = pipeline(site.memory, site.store, site.origin)
      trial.run(cache, site)
      return seen(site, cache).map { LawEvidence(left: ("seen", $0), right: ("lawful", [])) }
    }
  }
}

/// A program of gets and writes whose promises nobody awaits.
private struct WorkTrial: Trial {
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
    steps.indices.map { index in
      var trial = self
      trial.steps.remove(at: index)
      return trial
    }
  }

  var size: Int { steps.count }
  var lines: [String] { steps.map(\.description) }

  func run(_ cache: Cache<Int, Int>, _ site: Worksite) {
    var last: Promise<Int>?
    for (number, step) in steps.enumerated() {
      switch step {
      case .get(let key): last = cache.get(key)
      case .set(let key): _ = cache.set(key, 100 + number)
      case .remove(let key): _ = cache.remove(key)
      case .cancel: last?.cancel()
      case .wait(let time): site.advance(time)
      }
    }
  }
}

/// The levels of a pipeline in virtual time, and what they are doing.
private final class Worksite: Sendable {
  private struct State {
    var values: [Int: Int] = [:]
    var running: [Int: String] = [:]
    var begun = 0
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

  var begun: Int { state.withLock(\.begun) }
  var closings: Int { state.withLock(\.closings) }

  func advance(_ milliseconds: Int) {
    for _ in 0..<milliseconds { time.advance(by: .milliseconds(1)) }
  }

  /// What runs when a promise settles, or `nil` if it doesn't settle or fails.
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
    Fetcher { key in self.take(4, "load(\(key))") { key * 10 } }
  }

  /// A level whose writes take time. It is closed once.
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
