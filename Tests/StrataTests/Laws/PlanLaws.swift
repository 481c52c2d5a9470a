import StrataLaws
import XCTest

@testable import StrataCore

/// Caches that are equal by the laws of the algebra have equal renderings.
final class PlanLaws: XCTestCase {
  func testRenderingRespectsTheAlgebra() async throws {
    try await checkTogether(.plans, cases: Extent.cases(20))
  }
}
