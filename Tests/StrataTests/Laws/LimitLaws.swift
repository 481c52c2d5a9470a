import Strata
import StrataLaws
import XCTest

/// At most the permitted number of gets runs, in the order of the calls.
final class LimitLaws: XCTestCase {
  func testALimitObeysItsLaws() throws { try Laws.check(.limit, cases: Extent.cases(120)) }
}
