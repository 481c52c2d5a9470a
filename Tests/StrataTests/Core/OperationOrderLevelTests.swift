import XCTest

@testable import Strata

final class OperationOrderLevelTests: XCTestCase {
  /// The promise of the value has an outcome, but is still calling its listeners.
  func testAWriteWhoseValueIsReadyBeginsImmediatelyEvenInACallbackOfTheValue() {
    let (order, journal) = (OperationOrder(.level), Journal<String>())
    let prepared = Pending<Int>()
    let value = Promise<Int>(.pending(prepared))
    value.observed { _ in
      let write = order.write(0, preparing: value) { value in
        journal.note("write \(value)")
        return Promise()
      }
      journal.note(write.text)
    }
    prepared.settle(.success(1))
    XCTAssertEqual(journal.entries, ["write 1", "()"])
    XCTAssertTrue(order.isQuiet)
  }
}
