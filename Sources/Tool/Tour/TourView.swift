import Foundation
import Strata

/// How the tour looks: an aligned table, with what is worth saying under a row.
struct TourView: Sendable {
  let count: Int
  let table: Table

  init(steps: [Step], isColoured: Bool) {
    count = steps.count
    let columns: [Table.Column] = [
      .init(title: "#", width: 2, isNumber: true),
      .init(title: "step", width: min(46, steps.map(\.title.count).max() ?? 4)),
      .init(title: "answered by", width: 11),
      .init(title: "time", width: 10, isNumber: true),
      .init(title: "requests", width: 8, isNumber: true),
      .init(title: "verdict", width: 7),
    ]
    table = Table(columns: columns, isColoured: isColoured)
  }

  /// What comes before the first step: the pipeline, and where the pages come from.
  func title(plan: CachePlan, of origin: Origin) -> String {
    """
    \("A pipeline of three levels:".coloured(.bold, if: table.isColoured))

      \(plan)

    Its origin is \(origin.url("/")), which lets every request wait for 30 ms.

    \(table.header)
    """
  }

  /// A step as a row of the table, with a remark or its faults underneath.
  func lines(of step: Step, at index: Int, _ report: Step.Report) -> String {
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

  /// What comes after the last step.
  func end(_ failures: Int, of origin: Origin, after duration: Duration) -> String {
    let verdict =
      failures == 0
      ? "All \(count) steps went as the laws say".coloured(.green, if: table.isColoured)
      : "\(failures) of \(count) steps FAILED".coloured(.red, if: table.isColoured)
    return
      "\n\(verdict), in \(duration.inMilliseconds); the origin saw \(origin.requests) requests."
  }
}

extension Duration {
  /// Two digits after the point, so that a column of them is easy to compare: `31.20 ms`.
  var inMilliseconds: String { String(format: "%.2f ms", self / .milliseconds(1)) }
}
