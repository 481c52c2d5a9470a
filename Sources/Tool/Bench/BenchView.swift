/// The text report, with one table per benchmark and lines of at most 100 characters.
struct BenchView: Sendable {
  let table: TextTable

  init(isColored: Bool) {
    let columns: [TextTable.Column] = [
      .init(title: "", width: 38),
      .init(title: "median", width: 9, isNumber: true),
      .init(title: "spread", width: 13, isNumber: true),
      .init(title: "ratio", width: 6, isNumber: true),
      .init(title: "allocs", width: 6, isNumber: true),
      .init(title: "bytes", width: 6, isNumber: true),
      .init(title: "target", width: 6),
    ]
    table = TextTable(columns: columns, isColored: isColored)
  }

  /// The text before the first benchmark.
  var title: String { table.header }

  /// Returns a benchmark's table. Below the title, each case has a line with its measurement and a
  /// line for each target.
  func text(of benchmark: Benchmark, _ rows: [Row]) -> String {
    let name = "\n\(benchmark.group.rawValue): \(benchmark.title)".colored(
      .bold, if: table.isColored)
    return ([name] + rows.flatMap(lines)).joined(separator: "\n")
  }

  private func lines(of row: Row) -> [String] {
    let first = table.row([
      .init("  \(row.subject)"), .init(row.shown(row.figure.median)),
      .init(row.spread),
      .init(row.ratio.median.brief), .init(row.allocations?.brief ?? "-"),
      .init(row.bytes?.inBytes ?? "-"), row.verdict.map { .init($0.shown, $0.color) } ?? "",
    ])
    let checks = row.checks.map { check in
      let verdict = check.verdict.shown.colored(check.verdict.color, if: table.isColored)
      return "      \(check.target.sentence(check.figure)): \(verdict)"
    }
    let fault = row.fault.map { "      " + $0.colored(.red, if: table.isColored) }
    return [first] + checks + [fault].compactMap { $0 }
  }

  /// The text after the last benchmark.
  func end(_ rows: [Row]) -> String {
    let checks = rows.flatMap(\.checks)
    let count = { (verdict: Verdict) in checks.filter { $0.verdict == verdict }.count }
    let missed = count(.missed)
    let text =
      "\(checks.count) targets: \(count(.aim)) reach the aim, \(count(.must)) met, \(missed) missed"
      + (count(.unknown) > 0 ? ", \(count(.unknown)) not counted" : "")
    return "\n" + text.colored(missed > 0 ? .red : .green, if: table.isColored)
  }
}

extension Row {
  /// The interquartile range as text, in the unit of the median.
  fileprivate var spread: String {
    let scale = unit == .time ? figure.median.scale : 1
    return "\((figure.lowerQuartile / scale).brief)..\((figure.upperQuartile / scale).brief)"
  }

  /// Returns a measurement of this row as text with its unit.
  func shown(_ figure: Double) -> String { unit.shown(figure) }
}

extension Verdict {
  fileprivate var shown: String {
    switch self {
    case .aim: "aim"
    case .must: "must"
    case .missed: "MISSED"
    case .unknown: "?"
    }
  }

  fileprivate var color: Color? {
    switch self {
    case .aim, .must: .green
    case .missed: .red
    case .unknown: nil
    }
  }
}
