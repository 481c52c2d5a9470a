import Strata
import StrataLaws
import XCTest

/// Checks that the arguments of `retrying` determine how often, and after which delays, a failed
/// get is repeated.
final class RetryLaws: XCTestCase {
  func testRetriesObeyTheirLaws() async throws {
    try await checkTogether(.retry, cases: Extent.cases(200))
  }

  func testAConstantBackoffEqualsADelay() async throws {
    try await checkTogether(
      .retry { cache, count, pause, time in
        cache.retrying(
          count, backoff: .exponential(from: .milliseconds(pause), by: 1).jittered(by: 0),
          clock: time
        )
      }, cases: Extent.cases(100))
  }
}
