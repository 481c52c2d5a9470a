import Strata
import StrataLaws
import XCTest

/// A failed get is repeated as often, and after such delays, as the arguments state.
final class RetryLaws: XCTestCase {
  func testRetriesObeyTheirLaws() throws { try Laws.check(.retry, cases: Extent.cases(200)) }

  func testAConstantBackoffEqualsADelay() throws {
    try Laws.check(
      .retry { cache, count, pause, time in
        cache.retrying(
          count, every: .exponential(from: .milliseconds(pause), by: 1).jittered(by: 0), clock: time
        )
      }, cases: Extent.cases(100))
  }
}
