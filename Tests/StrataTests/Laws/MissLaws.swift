import Strata
import StrataLaws
import XCTest

/// The laws of caches that remember misses.
final class MissLaws: XCTestCase {
  func testAMissIsRememberedForItsTimeOrUntilAWrite() async throws {
    try await checkTogether(.misses, cases: Extent.cases(200))
  }

  func testALevelWithRememberedMissesIsALevel() async throws {
    try await checkTogether(
      .level("misses") {
        Cache<Int, Int>.memory().rememberingMisses(for: .seconds(3600), capacity: 2)
      }, cases: Extent.cases(100))
  }

  func testRememberingMissesDiffersFromReadingAgain() {
    let near = Law("near", "a.rememberingMisses(for:) == a", "It asks less often.") {
      $0[0].rememberingMisses(for: .seconds(1), clock: $0.time)
    } is: {
      $0[0]
    }
    XCTAssertNotNil(near.violation())
  }
}
