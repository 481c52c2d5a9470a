import Strata
import StrataLaws
import XCTest

/// Never more gets than allowed, in the order in which they came.
final class LimitLaws: XCTestCase {
  func testALimitKeepsItsWord() throws { try Laws.check(.limit, cases: Extent.cases(120)) }
}
