import Strata
import StrataLaws
import XCTest

/// A circuit breaker doesn't call its level while the circuit is open.
final class CircuitLaws: XCTestCase {
  func testACircuitBreakerObeysItsLaws() throws {
    try Laws.check(.circuit, cases: Extent.cases(100))
  }
}
