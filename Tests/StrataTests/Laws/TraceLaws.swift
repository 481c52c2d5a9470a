import StrataLaws
import XCTest

@testable import StrataCore

/// Checks that a trace shows exactly the events that happened.
final class TraceLaws: XCTestCase {
  func testATraceShowsTheReadLevelsAndTheOneThatAnswered() async throws {
    try await checkTogether(.traces, cases: Extent.cases(120))
  }
}
