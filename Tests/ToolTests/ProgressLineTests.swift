import XCTest

@testable import strata_tool

final class ProgressLineTests: XCTestCase {
  /// Shows the parts at the times, in seconds, and returns what was written.
  private func written(_ steps: [(time: Double, part: Double)]) -> [String] {
    var (now, texts): (Duration, [String]) = (.zero, [])
    var progress = ProgressLine(now: { now }, write: { texts.append($0) })
    for step in steps {
      now = .seconds(step.time)
      progress.show(step.part)
    }
    progress.end()
    return texts
  }

  func testALineWithTheTimeThatIsLeftAppearsAfterTwoSeconds() {
    XCTAssertEqual(
      written([(1.9, 0.1), (2, 0.2), (2.1, 0.21), (4, 0.5), (100, 0.1)]),
      [
        "\r\u{1B}[K20 %, 8 s left", "\r\u{1B}[K50 %, 4 s left", "\r\u{1B}[K10 %, 15 min left",
        "\r\u{1B}[K",
      ])
  }

  func testShortWorkAndWorkWithoutATerminalWriteNothing() {
    XCTAssertEqual(written([(0.5, 0.5), (1.9, 1)]), [])
    var progress = ProgressLine(now: { .seconds(9) }, write: nil)
    progress.show(0.5)
    progress.end()
  }
}
