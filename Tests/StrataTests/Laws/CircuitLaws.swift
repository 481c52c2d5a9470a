import Strata
import StrataLaws
import XCTest

/// A circuit breaker calls nothing while it is open.
final class CircuitLaws: XCTestCase {
  func testACircuitBreakerObeysItsLaws() throws {
    try Laws.check(.circuit, cases: Extent.cases(200))
  }
}
