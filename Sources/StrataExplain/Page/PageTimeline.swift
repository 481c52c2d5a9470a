import StrataVerbs

/// The hit ratio and the load of the origin over time.
struct PageTimeline {
  /// The hit ratio and the rates between two consecutive reports.
  struct Interval: Sendable {
    let end: Double
    let hitRatio: Double?
    let loadsPerSecond: Double
    let getsPerSecond: Double
  }

  /// The maximum number of intervals in a chart. Of a longer series, the chart shows only every
  /// second report, every third report, and so on.
  static let mostIntervals = 240

  let intervals: [Interval]

  init(_ plan: CachePlan, _ reports: [StatisticsReport]) {
    let (levels, stage) = (PageTotals.levels(of: plan), PageTotals.stage(of: plan))
    var ordered: [StatisticsReport] = []
    for report in reports where report.time.isFinite {
      if let last = ordered.last, report.time <= last.time { continue }
      ordered.append(report)
    }
    let step = max(1, (ordered.count - 2) / Self.mostIntervals + 1)
    let last = ordered.count - 1
    let shown = ordered.enumerated().filter { (last - $0.offset).isMultiple(of: step) }
    let totals = shown.map {
      ($0.element.time, PageTotals(levels, whole: stage, $0.element))
    }
    intervals = zip(totals, totals.dropFirst()).map { before, after in
      Interval(from: before, to: after)
    }
  }

  var html: HTML? {
    guard intervals.count > 1 else { return nil }
    let time = time
    let ratio = PageChart(
      title: "Hit ratio",
      lines: [.init(name: "hit ratio", color: "disk", points: points(\.hitRatio))],
      top: 1, vertical: PageFigures.percent, horizontal: time)
    let load = PageChart(
      title: "Load",
      lines: [
        .init(name: "gets", color: "memory", points: points { $0.getsPerSecond }),
        .init(name: "origin loads", color: "network", points: points { $0.loadsPerSecond }),
      ], vertical: PageFigures.rate, horizontal: time)
    return """
      <section>
      <h2>Over time</h2>
      <div class="charts">
      \(ratio.html)
      \(load.html)
      </div>
      </section>
      """
  }

  /// How the axis writes a time. When the reports of a series are close together, their dates
  /// hardly differ, so the axis shows durations instead.
  private var time: @Sendable (Double) -> String {
    let (first, last) = (intervals[0].end, intervals[intervals.count - 1].end)
    guard last - first < 60 else { return { PageFigures.time($0) } }
    return { moment in
      guard moment > first else { return PageFigures.time(first) }
      return "\(PageFigures.duration(moment - first)) later"
    }
  }

  private func points(_ value: (Interval) -> Double?) -> [(x: Double, y: Double?)] {
    intervals.map { ($0.end, value($0)) }
  }
}

extension PageTimeline.Interval {
  /// Subtracts the counts of the earlier report from those of the later one. When a count has
  /// decreased, the statistics were reset in between, so the function subtracts nothing.
  fileprivate init(
    from before: (time: Double, totals: PageTotals), to after: (time: Double, totals: PageTotals)
  ) {
    let (old, new) = (before.totals, after.totals)
    let isReset = new.gets < old.gets || new.loads < old.loads || new.stored < old.stored
    let gets = new.gets - (isReset ? 0 : old.gets)
    let stored = new.stored - (isReset ? 0 : old.stored)
    let seconds = after.time - before.time
    end = after.time
    let answered = new.answered - (isReset ? 0 : old.answered)
    hitRatio = answered > 0 ? min(stored / answered, 1) : nil
    loadsPerSecond = (new.loads - (isReset ? 0 : old.loads)) / seconds
    getsPerSecond = gets / seconds
  }
}
