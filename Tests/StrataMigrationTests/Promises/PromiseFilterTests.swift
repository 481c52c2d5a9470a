import Strata
import StrataMigration
import XCTest

final class PromiseFilterTests: XCTestCase {
  func testAnAsyncTestDelaysTheValue() {
    let verdict = Later<Bool>()
    let filtered = Promise(1).filter { _ in verdict.promise }
    XCTAssertEqual(filtered.text, "pending")
    verdict.continuation.succeed(true)
    XCTAssertEqual(filtered.text, "1")
  }

  func testAValueThatDoesNotPassFailsWithConditionNotSatisfied() {
    XCTAssertEqual(
      Promise(1).filter { _ in Promise(false) }.outcome?.error as? CacheError,
      .conditionNotSatisfied)
    let failing = Promise(1).filter { _ in Promise<Bool>(error: Broken.here) }
    XCTAssertEqual(failing.text, "failed: here")
  }
}
