import Strata
import StrataLaws
import XCTest

/// No get outlasts its time.
final class TimeLimitLaws: XCTestCase {
  func testATimeLimitObeysItsLaws() throws { try Laws.check(.timeLimit, cases: Extent.cases(200)) }
}
