/// A bar chart of the measurements with their spread. Every benchmark has one panel.
struct BenchChart {
  /// The names of the cases that the chart draws as baselines, in addition to the first case of
  /// each panel.
  private static let others: Set = [
    "NSCache", "Foundation's atomic write", "Data(contentsOf:)", "SQLite, WAL",
  ]

  private let panels: [(title: String, rows: [Row])]

  init(_ rows: [Row]) {
    var panels: [(title: String, rows: [Row])] = []
    for row in rows where row.figure.median.isFinite {
      let unit = row.unit != .time && row.unit != .bytes ? ", \(row.unit.rawValue)" : ""
      let title = "\(row.group.rawValue): \(row.benchmark)\(unit)"
      if panels.last?.title != title { panels.append((title, [])) }
      panels[panels.count - 1].rows.append(row)
    }
    self.panels = panels
  }

  /// The whole drawing.
  var svg: String {
    var drawing = Canvas(
      width: 900,
      title: "Times and counts of \(panels.count) benchmarks, each next to its baseline")
    drawing.text("strata-tool bench", x: 24, y: 34, "title")
    drawing.text(
      "Bars show the median of the rounds. Thin lines show the middle half. Baselines are gray.",
      x: 24, y: 54, "quiet")
    var y = 84.0
    for panel in panels { y = draw(panel.title, panel.rows, from: y, in: &drawing) }
    return drawing.svg(height: y)
  }

  private func draw(
    _ title: String, _ rows: [Row], from top: Double, in drawing: inout Canvas
  ) -> Double {
    drawing.text(title, x: 24, y: top, "heading")
    let most = rows.map { max($0.figure.median, $0.figure.upperQuartile) }.max() ?? 1
    let scale = 440 / max(most, .leastNormalMagnitude)
    for (index, row) in rows.enumerated() {
      let y = top + 14 + Double(index) * 22
      let (middle, start) = (y + 8, 250.0)
      drawing.text(row.subject, x: start - 10, y: y + 12, "label end")
      drawing.bar(
        x: start, y: y, width: max(1, row.figure.median * scale), height: 16,
        index == 0 || Self.others.contains(row.subject) ? "baseline" : "strata")
      let (low, high) = (row.figure.lowerQuartile * scale, row.figure.upperQuartile * scale)
      drawing.line(from: (start + low, middle), to: (start + high, middle), "spread")
      for x in [low, high] {
        drawing.line(from: (start + x, middle - 4), to: (start + x, middle + 4), "spread")
      }
      drawing.text(
        row.label, x: start + max(row.figure.median * scale, high) + 8, y: y + 12, "label")
    }
    return top + 14 + Double(rows.count) * 22 + 28
  }
}

extension Row {
  fileprivate var label: String {
    let ratio = self.ratio.median
    let times = ratio.isFinite && ratio != 1 ? ", \(ratio.brief)x" : ""
    return shown(figure.median) + times
  }
}
