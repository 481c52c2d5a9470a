import Foundation
import Strata

/// The text output of the tour, which is a table with remarks below its rows.
struct TourView: Sendable {
  let count: Int
  let table: TextTable

  init(steps: [TourStep], isColored: Bool) {
    count = steps.count
    let columns: [TextTable.Column] = [
      .init(title: "#", width: 2, isNumber: true),
      .init(title: "step", width: min(46, steps.map(\.title.count).max() ?? 4)),
      .init(title: "answered by", width: 11),
      .init(title: "time", width: 10, isNumber: true),
      .init(title: "requests", width: 8, isNumber: true),
      .init(title: "verdict", width: 7),
    ]
    table = TextTable(columns: columns, isColored: isColored)
  }

  /// The text before the first step. It shows the pipeline and the origin's URL.
  func title(plan: CachePlan, of origin: Origin) -> String {
    """
    \("A pipeline of three levels:".colored(.bold, if: table.isColored))

      \(plan)

    Its origin is \(origin.url("/")), which delays every response by 30 ms.

    \(table.header)
    """
  }

  /// Returns a row of the table, with the step's remark and faults below the row.
  func lines(of step: TourStep, at index: Int, _ report: TourStep.Report) -> String {
    let isRight = report.faults.isEmpty
    let row = table.row([
      .init("\(index + 1)"), .init(step.title), .init(report.answerer.name),
      .init(report.duration.inMilliseconds), .init("\(report.requests)"),
      isRight ? .init("ok", .green) : .init("FAILED", .red),
    ])
    let faults = report.faults.map { table.note($0, .red) }
    return ([row] + [report.remark.map { table.note($0) }].compactMap { $0 } + faults)
      .joined(separator: "\n")
  }

  /// The text after the last step.
  func end(_ failures: Int, of origin: Origin, after duration: Duration) -> String {
    let verdict =
      failures == 0
      ? "All \(count) steps succeeded".colored(.green, if: table.isColored)
      : "\(failures) of \(count) steps FAILED".colored(.red, if: table.isColored)
    return
      "\n\(verdict), in \(duration.inMilliseconds). "
      + "The origin received \(origin.requests) requests."
  }
}

extension Duration {
  /// The duration in milliseconds with two decimals, such as `31.20 ms`.
  var inMilliseconds: String { String(format: "%.2f ms", self / .milliseconds(1)) }
}
