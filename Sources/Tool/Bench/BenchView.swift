/// How the figures look: a table of a contest after the other, within 100 columns.
struct BenchView: Sendable {
  let table: Table

  init(isColoured: Bool) {
    let columns: [Table.Column] = [
      .init(title: "", width: 38),
      .init(title: "median", width: 9, isNumber: true),
      .init(title: "spread", width: 13, isNumber: true),
      .init(title: "ratio", width: 6, isNumber: true),
      .init(title: "allocs", width: 6, isNumber: true),
      .init(title: "bytes", width: 6, isNumber: true),
      .init(title: "target", width: 6),
    ]
    table = Table(columns: columns, isColoured: isColoured)
  }

  /// What comes before the first contest.
  var title: String { table.header }

  /// A contest: its name, a line for each subject, and one for each further target.
  func text(of contest: Contest, _ rows: [Row]) -> String {
    let name = "\n\(contest.group.rawValue): \(contest.title)".coloured(
      .bold, if: table.isColoured)
    return ([name] + rows.flatMap(lines)).joined(separator: "\n")
  }

  private func lines(of row: Row) -> [String] {
    let first = table.row([
      .init("  \(row.subject)"), .init(row.shown(row.figure.median)),
      .init(row.spread),
      .init(row.ratio.median.brief), .init(row.allocations?.brief ?? "-"),
      .init(row.bytes?.inBytes ?? "-"), row.verdict.map { .init($0.shown, $0.colour) } ?? "",
    ])
    let checks = row.checks.map { check in
      let verdict = check.verdict.shown.coloured(check.verdict.colour, if: table.isColoured)
      return "      \(check.target.sentence(check.figure)): \(verdict)"
    }
    let fault = row.fault.map { "      " + $0.coloured(.red, if: table.isColoured) }
    return [first] + checks + [fault].compactMap { $0 }
  }

  /// What comes after the last contest.
  func end(_ rows: [Row]) -> String {
    let checks = rows.flatMap(\.checks)
    let count = { (verdict: Verdict) in checks.filter { $0.verdict == verdict }.count }
    let missed = count(.missed)
    let text =
      "\(checks.count) targets: \(count(.aim)) as aimed at, \(count(.must)) met, \(missed) missed"
      + (count(.unknown) > 0 ? ", \(count(.unknown)) not counted" : "")
    return "\n" + text.coloured(missed > 0 ? .red : .green, if: table.isColoured)
  }
}

extension Row {
  /// The middle half of the rounds, in the unit of the median.
  fileprivate var spread: String {
    let scale = unit == .time ? figure.median.scale : 1
    return "\((figure.lowerQuartile / scale).brief)..\((figure.upperQuartile / scale).brief)"
  }

  /// A figure of this row with its unit.
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

  fileprivate var colour: Colour? {
    switch self {
    case .aim, .must: .green
    case .missed: .red
    case .unknown: nil
    }
  }
}
