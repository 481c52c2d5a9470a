import Foundation
import StrataVerbs

/// Reports the statistics of caches, as a `Codable` value or as text for a metrics server.
///
///     let telemetry = Telemetry(of: statistics)
///     let text = telemetry.text()  // for `GET /metrics`, with the type Telemetry.contentType
///
/// `report()` and `text()` each read the counters once, and don't delay the observed caches. You
/// can call both on any thread.
public final class Telemetry: Sendable {
  /// The media type of version 0.0.4 of the Prometheus text format, which ``text()`` uses.
  public static let contentType = "text/plain; version=0.0.4; charset=utf-8"

  /// The numbers of hits and misses of each stage at a point in time.
  private struct Mark: Sendable {
    let time: TimeSource.Instant
    let counts: [String: (hits: Int, misses: Int)]

    init(_ time: TimeSource.Instant, _ stages: [CacheStatistics.Stage]) {
      self.time = time
      counts = Dictionary(
        stages.map { ($0.name, ($0.hits, $0.misses)) }, uniquingKeysWith: { one, _ in one })
    }
  }

  private let statistics: CacheStatistics
  private let window: Duration
  private let clock: TimeSource
  private let gauges: @Sendable () -> [StatisticsReport.Gauge]
  private let marks: Lock<[Mark]>

  /// Creates telemetry for the given statistics.
  ///
  /// - Parameters:
  ///   - statistics: The statistics to report. One `CacheStatistics` object can count the events of
  ///     several caches.
  ///   - window: The length of the time window for the recent hit ratio. The minimum is one second.
  ///     The default is five minutes. The window of a report begins when an earlier report was
  ///     made, or when the `Telemetry` object was created. So if reports are infrequent, the window
  ///     is longer.
  ///   - clock: The clock that measures the window, and provides the time of each report. The
  ///     default is the system's clock.
  ///   - gauges: Returns sizes and other figures. It's called once for each report, on the thread
  ///     that makes the report. A report leaves out figures that are infinite or not a number. By
  ///     default, a report has no such sizes and figures.
  public init(
    of statistics: CacheStatistics, window: Duration = .seconds(300), clock: TimeSource = .system,
    gauges: @escaping @Sendable () -> [StatisticsReport.Gauge] = { [] }
  ) {
    self.gauges = gauges
    (self.statistics, self.window, self.clock) = (statistics, max(window, .seconds(1)), clock)
    marks = Lock([Mark(clock.now(), statistics.snapshot.stages)])
  }

  /// Creates telemetry for the given statistics, and for the sizes and the work of a cache.
  ///
  ///     let telemetry = Telemetry(of: statistics, and: pages)
  ///
  /// - Parameters:
  ///   - statistics: The statistics to report.
  ///   - cache: The cache whose ``StrataCore/Cache/gauges`` are reported. They come before the
  ///     figures of `gauges`.
  ///   - window: The length of the time window for the recent hit ratio. The default is five
  ///     minutes.
  ///   - clock: The clock that measures the window. The default is the system's clock.
  ///   - gauges: Returns further figures. By default, there are no further ones.
  public convenience init<Key, Value>(
    of statistics: CacheStatistics, and cache: Cache<Key, Value>, window: Duration = .seconds(300),
    clock: TimeSource = .system,
    gauges: @escaping @Sendable () -> [StatisticsReport.Gauge] = { [] }
  ) {
    self.init(of: statistics, window: window, clock: clock) { cache.gauges + gauges() }
  }

  /// Returns all statistics as a `Codable` value.
  ///
  /// - Complexity: O(n) in the number of stages.
  public func report() -> StatisticsReport {
    let (stages, now) = (statistics.snapshot.stages, clock.now())
    let start = start(of: Mark(now, stages))
    return StatisticsReport(
      time: now.sinceEpoch / .seconds(1), window: window / .seconds(1),
      stages: stages.map { stage in
        let before = start.counts[stage.name] ?? (0, 0)
        // When a count has decreased since the start of the window, the statistics were reset in
        // between, so the old counts aren't subtracted.
        let isReset = stage.hits < before.hits || stage.misses < before.misses
        let hits = stage.hits - (isReset ? 0 : before.hits)
        let all = hits + stage.misses - (isReset ? 0 : before.misses)
        return .init(stage, recentHitRatio: all == 0 ? nil : Double(hits) / Double(all))
      }, gauges: gauges().distinct)
  }

  /// Returns all statistics in the text format that metrics servers read.
  ///
  /// This is the format of Prometheus, which OpenTelemetry collectors and other servers can read.
  /// All metrics have the label `stage`, and names that begin with `strata_cache_`. Counters have
  /// names that end in `_total`, and decrease only after `statistics.reset()`.
  ///
  /// - Complexity: O(n) in the number of stages.
  public func text() -> String { MetricsText(report()).text }

  /// The number of stored marks.
  var markCount: Int { marks.withLock { $0.count } }

  /// Returns the mark at the start of the window that ends at `mark`, with the counts at that time.
  /// Also stores `mark` if at least 1/32 of the window has passed since the last stored one. Keeps
  /// at most 34 marks.
  private func start(of mark: Mark) -> Mark {
    marks.withLock { marks in
      while marks.count > 1, marks[1].time.advanced(by: window) <= mark.time {
        marks.removeFirst()
      }
      let start = marks[0]
      if marks[marks.count - 1].time.advanced(by: window / 32) <= mark.time { marks.append(mark) }
      return start
    }
  }
}
