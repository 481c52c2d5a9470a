import StrataCore
import StrataLaws
import XCTest

/// Checks that a level that was saved can be loaded while it serves.
final class WarmStartLaws: XCTestCase {
  func testWarmStartsObeyTheirLaws() async throws {
    try await checkTogether(.warmStarts, cases: Extent.cases(200))
  }
}
