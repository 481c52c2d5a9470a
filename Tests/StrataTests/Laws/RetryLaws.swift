import Strata
import StrataLaws
import XCTest

/// A failure is asked for again, as often and as late as told.
final class RetryLaws: XCTestCase {
  func testRetriesKeepTheirWord() throws { try Laws.check(.retry, cases: Extent.cases(200)) }

  func testABackoffThatIsConstantIsAPause() throws {
    try Laws.check(
      .retry { cache, count, pause, time in
        cache.retrying(
          count, every: .exponential(from: .milliseconds(pause), by: 1).jittered(by: 0), clock: time
        )
      }, cases: Extent.cases(100))
  }
}
