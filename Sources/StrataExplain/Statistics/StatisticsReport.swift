import StrataVerbs

/// The statistics of all stages at a point in time, as a `Codable` value.
///
///     let telemetry = Telemetry(of: statistics)
///     let json = try JSONEncoder().encode(telemetry.report())
///
/// The names of properties and eviction causes don't change within a major version of Strata. But a
/// minor version can add properties.
public struct StatisticsReport: Codable, Equatable, Sendable {
  /// The time of the report, in seconds since 1970-01-01 00:00 UTC.
  public var time: Double
  /// The configured length of the time window for ``Stage/recentHitRatio``, in seconds. When
  /// reports are infrequent, the actual window is longer.
  public var window: Double
  /// The stages, in the order of their first events.
  public var stages: [Stage]
  /// Sizes and other figures at the time of the report. See
  /// ``Telemetry/init(of:window:clock:gauges:)``.
  public var gauges: [Gauge] = []

  /// The statistics of one stage. `CacheStatistics.Stage` describes each count.
  public struct Stage: Codable, Equatable, Sendable {
    /// The name of the stage.
    public var name: String
    /// The number of gets that returned a value.
    public var hits: Int
    /// The number of hits that returned a stale value.
    public var staleHits: Int
    /// The number of gets that missed.
    public var misses: Int
    /// The number of gets and refreshes that didn't call the stage because of a condition.
    public var skips: Int
    /// The number of failed operations.
    public var failures: Int
    /// The number of cancelled operations.
    public var cancellations: Int
    /// The number of calls that reached the stage's origin.
    public var loads: Int
    /// The number of back-fills, which copy values from a lower level into the stage.
    public var backFills: Int
    /// The number of successful writes.
    public var writes: Int
    /// The number of refreshes.
    public var refreshes: Int
    /// The number of times that the stage's circuit breaker opened.
    public var circuitOpenings: Int
    /// Whether the stage's circuit breaker is open.
    public var isCircuitOpen: Bool
    /// The number of memory warnings.
    public var warnings: Int
    /// The number of evicted values for each cause. Its keys are the names of the cases of
    /// `EvictionCause`.
    public var evictions: [String: Int]
    /// The total size of the values that gets returned, in bytes.
    public var bytesRead: Int
    /// The total size of the values that writes and back-fills stored, in bytes.
    public var bytesWritten: Int
    /// The total size of the evicted values, in bytes.
    public var bytesEvicted: Int
    /// The number of operations in flight.
    public var inFlight: Int
    /// The hit ratio in the time window: hits divided by the sum of hits and misses. It's `nil` if
    /// the window has neither hits nor misses.
    public var recentHitRatio: Double?
    /// The durations of gets.
    public var latency: Histogram
  }

  /// A histogram of durations in seconds.
  public struct Histogram: Codable, Equatable, Sendable {
    /// The upper bounds of the buckets in seconds, in ascending order. The last bucket has no upper
    /// bound.
    public var bounds: [Double]
    /// The number of durations in each bucket. These numbers aren't cumulative. There is one more
    /// number than there are bounds, because the last bucket has no upper bound.
    public var counts: [Int]
    /// The sum of all durations in seconds.
    public var sum: Double
  }
}

extension StatisticsReport {
  private enum CodingKeys: String, CodingKey { case time, window, stages, gauges }

  /// Reads a report. Reports of earlier versions have no gauges.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    time = try values.decode(Double.self, forKey: .time)
    window = try values.decode(Double.self, forKey: .window)
    stages = try values.decode([Stage].self, forKey: .stages)
    gauges = try values.decodeIfPresent([Gauge].self, forKey: .gauges) ?? []
  }
}

extension StatisticsReport.Stage {
  init(_ stage: CacheStatistics.Stage, recentHitRatio: Double?) {
    (name, hits, misses, skips) = (stage.name, stage.hits, stage.misses, stage.skips)
    staleHits = stage.staleHits
    (failures, cancellations, loads) = (stage.failures, stage.cancellations, stage.loads)
    (backFills, writes, refreshes) = (stage.backFills, stage.writes, stage.refreshes)
    (circuitOpenings, isCircuitOpen) = (stage.circuitOpenings, stage.isCircuitOpen)
    warnings = stage.warnings
    evictions = Dictionary(
      uniqueKeysWithValues: stage.evictions.map { ($0.key.rawValue, $0.value) })
    (bytesRead, bytesWritten) = (stage.bytesRead, stage.bytesWritten)
    (bytesEvicted, inFlight) = (stage.bytesEvicted, stage.inFlight)
    self.recentHitRatio = recentHitRatio
    latency = .init(stage.latency)
  }
}

extension StatisticsReport.Histogram {
  /// The exponents of the bounds, which are powers of two in nanoseconds. These bounds approximate
  /// 1, 2.5, or 5 times a power of ten. All of them are also bounds of `LatencyHistogram`, so the
  /// counts are exact.
  static let exponents = [7, 8, 10, 12, 14, 17, 20, 21, 22, 23, 25, 26, 27, 28, 29, 30, 31, 32, 33]

  init(_ latencies: LatencyHistogram) {
    bounds = Self.exponents.map { Double(UInt64(1) << $0) / 1e9 }
    var (counts, first) = ([Int](), 0)
    for exponent in Self.exponents {
      counts.append(latencies.counts[first...exponent].reduce(0, +))
      first = exponent + 1
    }
    self.counts = counts + [latencies.counts[first...].reduce(0, +)]
    sum = latencies.sum / .seconds(1)
  }
}
