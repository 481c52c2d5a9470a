import Strata
import StrataMigration
import XCTest

final class PromiseSnoozeTests: XCTestCase {
  func testASnoozeIsADelay() {
    for end in Promise<Int>.ends(2) {
      let (time, clock) = TimeSource.manual()
      let late = Promise(outcome: end).snooze(.seconds(1), clock: time)
      XCTAssertEqual(late.text, "pending")
      clock.advance(by: .seconds(1))
      XCTAssertEqual(late.text, end.text)
    }
  }
}
