import Strata
import StrataLaws
import XCTest

/// No get takes longer than its time limit.
final class TimeLimitLaws: XCTestCase {
  func testATimeLimitObeysItsLaws() throws { try Laws.check(.timeLimit, cases: Extent.cases(100)) }
}
