import StrataCore
import StrataLaws
import XCTest

/// Checks the handle of the memory level, and its warm starts.
final class StorageLaws: XCTestCase {
  func testAStorageObeysItsLaws() async throws {
    try await checkTogether(.storage, cases: Extent.cases(400))
  }

  func testAStorageWithCostsObeysTheLaws() async throws {
    let laws = Laws.storage {
      StorageFunctions(MemoryStorage(costing: 4, pins: 2) { key, _ in key == 0 ? 1 : 1 })
    }
    try await checkTogether(laws, cases: Extent.cases(200))
  }
}
