import StrataVerbs

extension StatisticsReport {
  /// A figure of one part of the cache at the time of the report. For example, it's the size of a
  /// level, or the number of gets that wait in a queue.
  public struct Gauge: Codable, Equatable, Sendable {
    /// The name of the stage.
    public var stage: String
    /// The measured quantity, such as `bytes`, `values`, or `waiting`.
    public var name: String
    /// The figure.
    public var value: Double
    /// The largest allowed figure, such as the capacity, or `nil` if there is no limit.
    public var limit: Double?

    /// Creates a gauge.
    ///
    /// - Parameters:
    ///   - stage: The name of the stage.
    ///   - name: What the gauge measures.
    ///   - value: The figure.
    ///   - limit: The largest allowed figure. The default is `nil`, for no limit.
    public init(stage: String, name: String, value: Double, limit: Double? = nil) {
      (self.stage, self.name, self.value, self.limit) = (stage, name, value, limit)
    }
  }
}

extension Cache {
  /// The sizes of all levels with their capacities, and their running and waiting work, at this
  /// moment.
  ///
  /// All levels and limits have their own figures, so you need no further code for them. Levels are
  /// listed under their names, and a second level of the same name as `name 2`. If you pass the
  /// cache to ``Telemetry``, it reports these gauges:
  ///
  ///     let telemetry = Telemetry(of: statistics, and: pages)
  ///
  /// A memory level lists its `values`, and if the capacity isn't a number of values, also its
  /// `cost` (see `MemoryStorage.cost`). Disk levels list `bytes` and `values`. Like origins and
  /// levels of your own, they also list their `running` operations. Limits list the `permits` in
  /// use and the `waiting` gets.
  ///
  /// - Complexity: O(n) in the number of levels and verbs. For the figures of a disk level, its
  ///   directory is read, as for `DiskStorage.statistics`.
  public var gauges: [StatisticsReport.Gauge] {
    currentGauges.map { gauge in
      StatisticsReport.Gauge(
        stage: gauge.stage, name: gauge.name, value: Double(gauge.value),
        limit: gauge.limit.map { Double($0) })
    }.distinct
  }
}

extension [StatisticsReport.Gauge] {
  /// The finite figures, because JSON has no other numbers. In the text format, each series may
  /// appear only once. So if two figures have the same stage and the same name, the second stage
  /// gets a number.
  var distinct: [StatisticsReport.Gauge] {
    var seen: Set<[String]> = []
    return filter(\.value.isFinite).map { gauge in
      var gauge = gauge
      if gauge.limit?.isFinite == false { gauge.limit = nil }
      let (stage, name) = (gauge.stage, gauge.name)
      var number = 1
      while !seen.insert([gauge.stage, name]).inserted {
        number += 1
        gauge.stage = "\(stage) \(number)"
      }
      return gauge
    }
  }
}

extension StatisticsReport.Histogram {
  /// Returns an upper bound for a quantile of the durations, in seconds.
  ///
  /// - Parameter fraction: The fraction, clamped to the range from 0 to 1.
  /// - Returns: The upper bound of a bucket, which is infinite for the last one, or `nil` if there
  ///   are no durations.
  /// - Law: `quantile(p) <= quantile(q)` for p <= q.
  public func quantile(_ fraction: Double) -> Double? {
    let total = counts.reduce(0.0) { $0 + Double(max(0, $1)) }
    guard total > 0 else { return nil }
    let rank = max(1, (fraction.isNaN ? 0 : min(max(fraction, 0), 1)) * total)
    var passed = 0.0
    for (index, count) in counts.enumerated() {
      passed += Double(max(0, count))
      if passed >= rank.rounded(.up) || passed >= total {
        return index < bounds.count ? bounds[index] : .infinity
      }
    }
    return nil
  }
}
