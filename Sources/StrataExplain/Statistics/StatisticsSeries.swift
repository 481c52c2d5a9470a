/// A bounded series of reports, for figures over time.
///
///     var series = StatisticsSeries()
///     series.append(telemetry.report())  // every few seconds
///     let html = StatusPage(of: pages.plan, series.reports).html
///
/// A full series drops every other one of its older reports. So it always reaches back to its first
/// report, with the resolution that its size allows.
public struct StatisticsSeries: Codable, Equatable, Sendable {
  /// The reports in the order of their times.
  public private(set) var reports: [StatisticsReport] = []
  /// The maximum number of reports in the series.
  public let limit: Int

  /// Creates an empty series.
  ///
  /// - Parameter limit: The maximum number of reports in the series. Numbers below two count as
  ///   two. The default is 240.
  public init(limit: Int = 240) { self.limit = max(2, limit) }

  /// Adds a report. A report that isn't later than the last one is ignored.
  ///
  /// - Complexity: O(1) amortized.
  public mutating func append(_ report: StatisticsReport) {
    if let last = reports.last, report.time <= last.time { return }
    if reports.count >= limit {
      let last = reports.count - 1
      reports = reports.enumerated().filter { $0.offset.isMultiple(of: 2) || $0.offset == last }
        .map(\.element)
      if reports.count >= limit { reports.remove(at: reports.count - 1) }
    }
    reports.append(report)
  }
}
