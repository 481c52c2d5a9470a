import Strata
import StrataLaws
import XCTest

/// Laws: at most the permitted number of gets runs at the same time. The gets begin in the order of
/// the calls.
final class LimitLaws: XCTestCase {
  func testALimitObeysItsLaws() throws { try Laws.check(.limit, cases: Extent.cases(120)) }
}
