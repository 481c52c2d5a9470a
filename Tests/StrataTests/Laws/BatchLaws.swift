import Strata
import StrataLaws
import XCTest

/// Checks that an operation on many keys has the same effect as a separate operation on each key.
final class BatchLaws: XCTestCase {
  func testABatchEqualsOperationsOnEachKey() async throws {
    try await checkTogether(.batch, cases: Extent.cases(150))
  }

  func testFoundValuesAreReturnedByKey() async throws {
    try await checkTogether(.outcomes, cases: Extent.cases(150))
  }

  func testSingleGetsAreCollectedIntoCalls() async throws { try await checkTogether(.bulkLoads) }
}
