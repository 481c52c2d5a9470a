import Strata
import StrataLaws
import XCTest

/// Checks that the number of gets that run at the same time never exceeds the limit, and that the
/// gets begin in the order of their calls.
final class LimitLaws: XCTestCase {
  func testALimitObeysItsLaws() async throws {
    try await checkTogether(.limit, cases: Extent.cases(120))
  }

  func testPrioritiesObeyTheirLaws() async throws {
    try await checkTogether(.urgency, cases: Extent.cases(120))
  }
}
