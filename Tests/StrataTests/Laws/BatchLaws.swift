import Strata
import StrataLaws
import XCTest

/// Checks that an operation on many keys has the same effect as a separate operation on each key.
final class BatchLaws: XCTestCase {
  func testABatchEqualsOperationsOnEachKey() throws {
    try Laws.check(.batch, cases: Extent.cases(75))
  }

  func testFoundValuesAreReturnedByKey() throws { try Laws.check(.found, cases: Extent.cases(75)) }

  func testSingleGetsAreCollectedIntoCalls() throws { try Laws.check(.bulkLoads) }
}
