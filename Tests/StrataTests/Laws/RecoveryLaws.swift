import Strata
import StrataLaws
import XCTest

/// Checks that recovery replaces failures, and doesn't change hits or cancellations.
final class RecoveryLaws: XCTestCase {
  func testRecoveryObeysItsLaws() throws { try Laws.check(.recovery, cases: Extent.cases(30)) }

  func testASettledPromiseEqualsTheFunction() throws {
    try Laws.check(
      .recovery { cache, transform in
        cache.recovering { key, error -> Promise<Int> in
          do { return Promise(try transform(key, error)) } catch { return Promise(error: error) }
        }
      }, cases: Extent.cases(30))
  }
}
