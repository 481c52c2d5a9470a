import Strata
import StrataLaws
import XCTest

/// No get takes longer than its time limit.
final class TimeLimitLaws: XCTestCase {
  func testATimeLimitObeysItsLaws() async throws {
    try await checkTogether(.timeLimit, cases: Extent.cases(200))
  }
}
