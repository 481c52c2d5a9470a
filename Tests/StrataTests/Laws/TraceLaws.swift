import StrataLaws
import XCTest

@testable import Strata

/// What a trace says is what happened.
final class TraceLaws: XCTestCase {
  func testATraceTellsWhoWasAskedAndWhoHadIt() throws {
    try Laws.check(.traces, cases: Extent.cases(120))
  }
}
