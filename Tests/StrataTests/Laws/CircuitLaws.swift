import Strata
import StrataLaws
import XCTest

/// A circuit breaker doesn't call its level while the circuit is open.
final class CircuitLaws: XCTestCase {
  func testACircuitBreakerObeysItsLaws() async throws {
    try await checkTogether(.circuit, cases: Extent.cases(200))
  }
}
