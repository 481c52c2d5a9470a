import StrataVerbs

/// A random program for the laws of loaders. Every load settles immediately.
struct LoaderTrial: Trial {
  typealias Making = @Sendable (LoaderRun) -> Cache<Int, Int>

  enum Step: Equatable, Sendable {
    case get(Int), set(Int), remove(Int), clear
    /// Moves the clock forward by a number of milliseconds.
    case advance(Int)
  }

  var steps: [Step]
  /// The lifetime, the two stale windows, and the time that a load chooses, in milliseconds.
  var times: [Int]
  init(_ random: inout SeededGenerator) {
    times = [0...4, 0...4, 0...6, 0...6].map { Int.random(in: $0, using: &random) }
    steps = (0..<Int.random(in: 1...12, using: &random)).map { _ in
      let key = Int.random(in: 0..<2, using: &random)
      switch Int.random(in: 0..<14, using: &random) {
      case 0..<6: return .get(key)
      case 6..<8: return .set(key)
      case 8: return Bool.random(using: &random) ? .remove(key) : .clear
      default: return .advance(Int.random(in: 1...4, using: &random))
      }
    }
  }

  var simpler: [LoaderTrial] {
    withoutEach(\.steps)
  }

  var size: Int { steps.count }
  var lines: [String] {
    [
      "fresh for \(times[0]) ms, stale while refreshing \(times[1]) ms, "
        + "stale on error \(times[2]) ms, a load may choose \(times[3]) ms"
    ] + steps.enumerated().map { "\($0 + 1). \($1)" }
  }

  /// Returns the answers of all gets, all loads, and the contents of the level after each step.
  func run(_ make: Making) -> [String] {
    let run = LoaderRun(self)
    let caches = Handles(make(run))
    return steps.enumerated().map { number, step in
      let cache = caches[number]
      var answer = ""
      switch step {
      case .get(let key):
        answer = cache.get(key).outcome.map { "\(LawObservation.Answer($0))" } ?? "no answer"
      case .set(let key): _ = cache.set(key, number)
      case .remove(let key): _ = cache.remove(key)
      case .clear: _ = cache.clear()
      case .advance(let milliseconds): run.clock.advance(by: .milliseconds(milliseconds))
      }
      return "\(number + 1). \(step): \(answer)\(run.note())"
    }
  }
}

/// The level, the clock, and the origin of one run.
final class LoaderRun: Sendable {
  private let contents = AgedLevel()
  private let loads = Lock<[Int]>([])
  let clock: ManualTime
  let time: TimeSource
  let freshness: Freshness
  /// The lifetime that a load may choose.
  let chosen: Duration

  init(_ trial: LoaderTrial) {
    (time, clock) = TimeSource.manual(startingAt: LifeRun.start)
    let times = trial.times.map { Duration.milliseconds($0) }
    freshness = Freshness(
      for: times[0], staleWhileRevalidate: times[1], staleIfError: times[2], pause: .zero)
    chosen = times[3]
  }

  var level: Cache<Int, Stamped<Int>> { contents.cache }

  /// Calls the origin.
  func load(_ key: Int) -> Promise<Int> { Promise(value(key)) }

  /// Calls the origin, and returns the loader's answer.
  func answer(
    _ key: Int, _ answer: (Int) -> Loader<Int, Int>.Answer
  ) -> Promise<Loader<Int, Int>.Answer> { Promise(answer(value(key))) }

  private func value(_ key: Int) -> Int {
    loads.withLock { loads in
      loads.append(key)
      return 1000 + loads.count
    }
  }

  /// The cache that refreshes its values from a fetcher.
  func refreshing(_ fetcher: Fetcher<Int, Int>, for lifetime: Duration? = nil) -> Cache<Int, Int> {
    let usual = freshness
    guard let lifetime else { return level.clocked(by: time).refreshing(usual, from: fetcher) }
    let chosen = Freshness(
      for: lifetime, staleWhileRevalidate: usual.staleWhileRevalidate,
      staleIfError: usual.staleIfError, pause: .zero)
    // A value of a load is at least 1000. Other values come from a `set`.
    return level.clocked(by: time).refreshing(from: fetcher) { _, value in
      value >= 1000 ? chosen : usual
    }
  }

  /// Returns a cache that writes like a refreshing cache, and whose gets return what the law
  /// expects.
  func expectation(
    _ get: @escaping @Sendable (Int, Stamped<Int>?) -> Promise<Int>
  ) -> Cache<Int, Int> {
    let writes = refreshing(Fetcher { _ in .miss })
    return Cache(
      get: { get($0, self.contents.contents[$0]) }, set: writes.set, remove: writes.remove,
      clear: writes.clear)
  }

  /// The loads so far, and what the level holds.
  func note() -> String {
    let held = contents.contents.sorted { $0.key < $1.key }.map { key, entry in
      "\(key): \(entry.value) from \(text(entry.storedAt)) to \(text(entry.expiresAt))"
    }
    return "; loads \(loads.withLock { $0 }); \(held)"
  }

  private func text(_ instant: TimeSource.Instant?) -> String {
    instant.map { "\(Int(LifeRun.start.duration(to: $0) / .milliseconds(1)))" } ?? "ever"
  }
}
