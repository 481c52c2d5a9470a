import Strata
import StrataExplain

/// The reports of a running pipeline, for a live page.
final class LiveStatus: Sendable {
  let statistics: CacheStatistics
  private let telemetry: Telemetry
  let plan: CachePlan
  private let title: String
  private let series = Lock(StatisticsSeries())

  init(
    of plan: CachePlan, title: String, statistics: CacheStatistics = CacheStatistics(),
    gauges: @escaping @Sendable () -> [StatisticsReport.Gauge] = { [] }
  ) {
    (self.plan, self.title, self.statistics) = (plan, title, statistics)
    telemetry = Telemetry(of: statistics, gauges: gauges)
  }

  /// Adds a report. Call this function from time to time, so the page shows figures over time even
  /// if no browser has loaded the page in the meantime.
  func note() {
    let report = telemetry.report()
    series.withLock { $0.append(report) }
  }

  /// The page with a new report. Browsers reload this page regularly.
  var page: StatusPage { page(reloads: true) }

  /// Returns the page with a new report.
  func page(reloads: Bool) -> StatusPage {
    note()
    var page = StatusPage(of: plan, series.withLock { $0.reports }, title: title)
    if reloads { page.reloadInterval = StatusServer.interval }
    return page
  }
}
