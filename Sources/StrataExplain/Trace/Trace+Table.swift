import StrataVerbs

extension Trace {
  /// The trace as a table with one row for each step. At the end of the row, a bar shows when the
  /// step ran. Below the rows is the explanation from ``why``. When other gets ran at the same
  /// time, a last line states that some steps might belong to them.
  ///
  ///     let trace = try await recorder.trace { pages.get(url) }.value.trace
  ///     print(trace.table)
  ///     // the whole  had it       31.4 ms  ████████████████████████████████████████
  ///     //   memory   had nothing   0.4 us  ▏
  ///     //   disk     had it       31.2 ms  ███████████████████████████████████████
  ///     // disk had it, since memory had nothing; it was written into memory
  public var table: String {
    let rows = shownSteps.map { step in
      (
        name: step.name, word: step.word.cut(to: 28), time: step.duration.formattedShort,
        bar: bar(of: step)
      )
    }
    let widths = [rows.map(\.name.count), rows.map(\.word.count), rows.map(\.time.count)]
      .map { $0.max() ?? 0 }
    let lines = rows.map { row in
      let gaps = [row.name, row.word].enumerated().map { index, text in
        text + String(repeating: " ", count: widths[index] - text.count + 2)
      }
      let space = String(repeating: " ", count: widths[2] - row.time.count)
      return gaps.joined() + space + row.time + "  " + row.bar
    }
    return (lines + [why] + (mayIncludeOtherGets ? [Self.otherGets] : [])).joined(separator: "\n")
  }

  static let otherGets =
    "other gets ran through these stages at the same time, so some steps may belong to other gets"

  /// The steps to show. When there are `set` steps, the table leaves out successful back-fills,
  /// because each back-fill also appears as a `set` step.
  var shownSteps: [Step] {
    let hasSets = steps.contains { $0.operation == .set }
    return steps.filter { $0.operation != .backFill || !$0.isHit || !hasSets }
  }

  /// The time from the start of the get until the get and all its steps have ended.
  var extent: Duration { max(duration, steps.map { $0.start + $0.duration }.max() ?? .zero) }

  /// Returns a bar for a step. Forty columns represent the duration of the whole trace. Steps that
  /// are shorter than half a column have thin bars.
  private func bar(of step: Step) -> String {
    guard extent > .zero else { return "▏" }
    let columns = 40.0
    let start = min(Int(step.start / extent * columns), 39)
    let length = Int((step.duration / extent * columns).rounded())
    return String(repeating: " ", count: max(0, start))
      + (length == 0 ? "▏" : String(repeating: step.isWait ? "░" : "█", count: length))
  }
}

extension Trace.Step {
  fileprivate var isWait: Bool { operation == .wait || operation == .join }

  /// The name of the stage, indented according to the depth of the step.
  var name: String { String(repeating: "  ", count: min(depth, 8)) + called.cut(to: 32) }
}
