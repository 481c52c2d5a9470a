import Strata
import StrataLaws
import XCTest

/// Checks that recovery replaces failures, and doesn't change hits or cancellations.
final class RecoveryLaws: XCTestCase {
  func testRecoveryObeysItsLaws() async throws {
    try await checkTogether(.recovery, cases: Extent.cases(120))
  }

  func testASettledPromiseEqualsTheFunction() async throws {
    try await checkTogether(
      .recovery { cache, transform in
        cache.recovering { key, error -> Promise<Int> in
          do { return Promise(try transform(key, error)) } catch { return Promise(error: error) }
        }
      }, cases: Extent.cases(60))
  }
}
