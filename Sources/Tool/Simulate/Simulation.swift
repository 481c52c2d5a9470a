import Strata
import StrataExplain

/// A replay of a trace through a pipeline on virtual time.
///
/// This pipeline consists of the library's own levels, sums, and pools. Every get begins at its
/// time in the trace, whether earlier gets have ended or not. So slow loads overlap, and gets join
/// them.
struct Simulation {
  /// The results of one replay.
  struct Result: Sendable {
    /// The share of the gets that found a value without the origin.
    let hitRatio: Double
    /// The mean time of a get, in seconds.
    let latency: Double
    /// The number of calls that reached the origin.
    let loads: Int
  }

  /// About how many reports one replay makes.
  private static let reports = 120

  private let statistics = CacheStatistics()
  private let time: TimeSource
  private let clock: ManualTime
  private let pipeline: SimulatedPipeline
  let cache: Cache<Int, Int>
  private(set) var series = StatisticsSeries()

  init(_ pipeline: SimulatedPipeline, _ trace: RequestTrace) {
    let (time, clock) = TimeSource.manual()
    (self.pipeline, self.time, self.clock) = (pipeline, time, clock)
    let levels = pipeline.levels.map { Self.level($0, trace, time) }
    let lower = levels.dropFirst(2).reduce(levels[1], +).pooled()
    cache = (levels[0] + lower).clocked(by: time)
      .observed(by: statistics, clock: time)
  }

  private static func level(
    _ level: SimulatedPipeline.Level, _ trace: RequestTrace, _ time: TimeSource
  ) -> Cache<Int, Int> {
    guard let capacity = level.capacity else {
      let sizes = trace.sizes
      return Fetcher { (key: Int) -> Promise<Int> in
        Promise(sizes?[key] ?? 1).delayed(by: level.latency, clock: time)
      }.named(level.name)
    }
    let memory: Cache<Int, Int> = .memory(
      capacity: .cost(capacity) { $0 }, onMemoryWarning: .ignore)
    guard level.latency > .zero else { return memory.named(level.name) }
    return Cache(
      get: { memory.get($0).delayed(by: level.latency, clock: time) }, set: memory.set,
      remove: memory.remove, clear: memory.clear
    ).named(level.name)
  }

  /// Replays the trace.
  ///
  /// - Parameters:
  ///   - times: The times of the requests in seconds, in ascending order.
  ///   - step: A closure that is called after each thousand requests, with their number.
  mutating func run(
    _ trace: RequestTrace, at times: (Int) -> Double, step: (Int) throws -> Void
  ) rethrows -> Result {
    let telemetry = Telemetry(of: statistics, clock: time)
    let total = Lock(Duration.zero)
    let interval = max(1, trace.requests.count / Self.reports)
    let begin = clock.now
    for (index, key) in trace.requests.enumerated() {
      let due = begin.advanced(by: .seconds(times(index)))
      if due > clock.now { clock.advance(by: clock.now.duration(to: due)) }
      let start = clock.now
      cache.get(key).onCompletion { [clock] _ in
        let duration = start.duration(to: clock.now)
        total.withLock { $0 += duration }
      }
      if index.isMultiple(of: interval) { series.append(telemetry.report()) }
      if index.isMultiple(of: 1_000) { try step(index) }
    }
    let longest = pipeline.levels.reduce(Duration.zero) { $0 + $1.latency }
    while clock.waiting > 0 { clock.advance(by: longest) }
    series.append(telemetry.report())
    return result(trace, total.withLock { $0 })
  }

  private func result(_ trace: RequestTrace, _ total: Duration) -> Result {
    let count = Double(trace.requests.count)
    let stages = statistics.snapshot
    let stored = pipeline.levels.dropLast().reduce(0) { $0 + (stages[$1.name]?.hits ?? 0) }
    let origin = pipeline.levels.last.flatMap { stages[$0.name] }
    return Result(
      hitRatio: Double(stored) / count, latency: total / .seconds(1) / count,
      loads: origin?.loads ?? 0)
  }
}
