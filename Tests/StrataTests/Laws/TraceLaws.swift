import StrataLaws
import XCTest

@testable import Strata

/// Checks that a trace shows exactly the events that happened.
final class TraceLaws: XCTestCase {
  func testATraceShowsTheReadLevelsAndTheOneThatAnswered() throws {
    try Laws.check(.traces, cases: Extent.cases(30))
  }
}
