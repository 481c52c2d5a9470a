/// The slowest and the failing stages, and a table of all stages.
struct PageStages {
  private typealias Stage = StatisticsReport.Stage

  private let stages: [StatisticsReport.Stage]

  /// - Parameter whole: The name of the stage that stands for the whole pipeline. On the page, another
  ///   text replaces this name.
  init(_ stages: [StatisticsReport.Stage], whole: String) {
    self.stages = stages.map { stage in
      var stage = stage
      if stage.name == whole { stage.name = "whole pipeline" }
      return stage
    }
  }

  var html: HTML? {
    guard !stages.isEmpty else { return nil }
    return """
      <section>
      <h2>Stages</h2>
      \(remarks)
      <table>
      <thead><tr>\(Self.columns.map { "<th scope=\"col\">\($0.title)</th>" })</tr></thead>
      <tbody>
      \(stages.map(row))
      </tbody>
      </table>
      </section>
      """
  }

  private var remarks: HTML {
    let slow = stages.filter { $0.latency.quantile(0.99) != nil }
      .sorted { ($0.latency.quantile(0.99) ?? 0) > ($1.latency.quantile(0.99) ?? 0) }
    let failing = stages.filter { $0.failures > 0 }.sorted { $0.failures > $1.failures }
    let open = stages.filter { $0.circuitOpenings > 0 || $0.isCircuitOpen }
    return HTML([
      line("Slowest", slow.prefix(3)) { PageFigures.duration($0.latency.quantile(0.99)) },
      line("Failing", failing.prefix(3), isBad: true) { PageFigures.count(Double($0.failures)) },
      line("Circuits", open.prefix(8), isBad: open.contains(where: \.isCircuitOpen)) {
        $0.isCircuitOpen ? "open" : "closed, opened \($0.circuitOpenings) times"
      },
    ])
  }

  private func line(
    _ title: String, _ stages: ArraySlice<Stage>, isBad: Bool = false, _ figure: (Stage) -> String
  ) -> HTML {
    guard !stages.isEmpty else { return "" }
    let items = stages.map { stage -> HTML in "\(.name(stage.name)) (\(figure(stage)))" }
    let list = items.dropFirst().reduce(items[0]) { "\($0), \($1)" }
    return "<p><b class=\"\(isBad ? "bad" : "")\">\(isBad ? "⚠ " : "")\(title):</b> \(list)</p>"
  }

  private struct Column: Sendable {
    let title: String
    let text: @Sendable (Stage) -> String
  }

  private static let columns = [
    Column(title: "stage", text: \.name),
    Column(title: "gets") { PageFigures.count($0.gets) },
    Column(title: "hits") {
      PageFigures.percent($0.hitRatio)
    },
    Column(title: "recent hits") { PageFigures.percent($0.recentHitRatio) },
    Column(title: "loads") { PageFigures.count(Double($0.loads)) },
    Column(title: "writes") { PageFigures.count(Double($0.writes)) },
    Column(title: "fills") { PageFigures.count(Double($0.backFills)) },
    Column(title: "evicted") {
      PageFigures.count($0.evictions.values.reduce(0) { $0 + Double($1) })
    },
    Column(title: "failures") { PageFigures.count(Double($0.failures)) },
    Column(title: "in flight") { PageFigures.count(Double($0.inFlight)) },
    Column(title: "p50") { PageFigures.duration($0.latency.quantile(0.5)) },
    Column(title: "p99") { PageFigures.duration($0.latency.quantile(0.99)) },
  ]

  private func row(_ stage: Stage) -> HTML {
    let cells = Self.columns.dropFirst().map { column -> HTML in
      "<td data-label=\"\(column.title)\">\(column.text(stage))</td>"
    }
    return "<tr><th scope=\"row\">\(.name(stage.name))</th>\(cells)</tr>"
  }
}
