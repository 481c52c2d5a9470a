import StrataVerbs

/// A web page that shows a pipeline and how it performs, as one self-contained text.
///
///     let telemetry = Telemetry(of: statistics)
///     let html = StatusPage(of: pages.plan, [telemetry.report()]).html
///
/// The text depends only on the plan and the reports, so any web framework can serve it. The page
/// contains no script, and loads no font or image. It follows the reader's light or dark mode,
/// and fits a phone as well as a wide screen. From top to bottom, the page shows:
///
/// - the most important figures,
/// - the pipeline, with each level's share of the answers and its latency,
/// - the hit ratio and the origin's load over time, if there are several reports,
/// - sizes and their limits, if the reports contain gauges,
/// - curves, such as those of a simulation,
/// - the slowest and the failing stages, open circuits, and a table of all stages,
/// - the advice about the plan.
///
/// The figures of a level come from the stage that has the level's name, so name the levels with
/// `named`. Without names, the page shows only the figures of the whole pipeline.
///
/// The page escapes and shortens every text from a plan or a report, and leaves out numbers that
/// make no sense. So even if a report comes over a network, the page is safe to show.
public struct StatusPage: Sendable {
  /// The pipeline.
  public var plan: CachePlan
  /// The reports in the order of their times. The last one provides the totals.
  public var reports: [StatisticsReport]
  /// The heading of the page.
  public var title: String
  /// The curves, such as those of a simulation. Empty by default.
  public var curves: [Curve] = []
  /// The time after which a browser reloads the page, in whole seconds and at least one. By
  /// default, it's `nil`: browsers don't reload the page.
  public var reloadInterval: Duration?

  /// Creates a page.
  ///
  /// - Parameters:
  ///   - plan: The pipeline.
  ///   - reports: The reports in the order of their times. One report is enough for the totals.
  ///     When there are several, the page also shows how the figures changed over time.
  ///   - title: The heading. The default is `Cache`.
  public init(of plan: CachePlan, _ reports: [StatisticsReport], title: String = "Cache") {
    (self.plan, self.reports, self.title) = (plan, reports, title)
  }

  /// The page as the text of an HTML file.
  ///
  /// - Complexity: O(n) in the number of nodes of the plan, stages of all reports, and points of
  ///   all curves.
  public var html: String {
    let totals = PageTotals(plan, reports.last)
    let sections = [
      PageSummary(totals, reports.last).html,
      PagePipeline(plan, totals).html,
      PageTimeline(plan, reports).html,
      PageGauges(reports.last?.gauges ?? []).html,
      PageCurves(curves).html,
      PageStages(reports.last?.stages ?? [], whole: PageTotals.stage(of: plan)).html,
      PageAdvice(plan).html,
    ]
    return page(sections.compactMap(\.self)).text
  }

  private func page(_ sections: [HTML]) -> HTML {
    """
    <!DOCTYPE html>
    <html lang="en">
    <head>
    <meta charset="utf-8"/>
    <meta name="viewport" content="width=device-width, initial-scale=1"/>
    <meta http-equiv="Content-Security-Policy" \
    content="default-src 'none'; style-src 'unsafe-inline'"/>
    <meta name="color-scheme" content="light dark"/>\(reload)
    <title>\(title)</title>
    <style>
    \(PageStyle.sheet)
    </style>
    </head>
    <body>
    <header>
    <h1>\(.name(title))</h1>
    <p class="quiet">\(subtitle)</p>
    </header>
    <main>
    \(sections)
    </main>
    </body>
    </html>

    """
  }

  private var reload: HTML {
    guard let reloadInterval else { return "" }
    let seconds = min(max(1, (reloadInterval / .seconds(1)).rounded()), 86_400)
    return "\n<meta http-equiv=\"refresh\" content=\"\(seconds.placed)\"/>"
  }

  private var subtitle: String {
    guard let last = reports.last else { return "no statistics yet" }
    guard reports.count > 1, let first = reports.first else { return PageFigures.time(last.time) }
    guard last.time - first.time >= 60 else {
      return
        "\(PageFigures.time(first.time)), for \(PageFigures.duration(last.time - first.time))"
    }
    return "\(PageFigures.time(first.time)) to \(PageFigures.time(last.time))"
  }
}
