extension Trace: CustomStringConvertible {
  /// The trace as a table with bars, a step a line, and why the answer came from where it did.
  ///
  ///     // page: had it in 31.4 ms
  ///     //   memory   had nothing    0.4 us  ▏
  ///     //   disk     had it        31.2 ms  ██████████████████████████████
  ///     // disk had it, since memory had nothing; it was written into memory
  public var description: String {
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
    return (lines + [why] + (hadCompany ? [Self.company] : [])).joined(separator: "\n")
  }

  static let company =
    "other gets ran through these stages meanwhile, so that some of this may be theirs"

  /// A back-fill that went well is seen where the value is set, if that is a stage.
  var shownSteps: [Step] {
    let hasSets = steps.contains { $0.operation == .set }
    return steps.filter { $0.operation != .backFill || !$0.isHit || !hasSets }
  }

  /// From the beginning of the get to the last end of a step.
  var extent: Duration { max(duration, steps.map { $0.start + $0.duration }.max() ?? .zero) }

  /// Forty places for the whole; what is too short for one has a mark.
  private func bar(of step: Step) -> String {
    guard extent > .zero else { return "▏" }
    let places = 40.0
    let start = min(Int(step.start / extent * places), 39)
    let length = Int((step.duration / extent * places).rounded())
    return String(repeating: " ", count: max(0, start))
      + (length == 0 ? "▏" : String(repeating: step.isWait ? "░" : "█", count: length))
  }
}

extension Trace.Step {
  fileprivate var isWait: Bool { operation == .wait || operation == .join }

  /// The stage as a row shows it: indented beneath the stage that it is a part of.
  var name: String { String(repeating: "  ", count: min(depth, 8)) + called.cut(to: 32) }
}
