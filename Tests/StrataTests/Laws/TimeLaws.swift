import StrataLaws
import XCTest

@testable import Strata

/// Checks the laws of verbs that expire values. The programs of these laws use a manual clock. Each
/// value is stored with a stamp that determines the value's age.
final class TimeLaws: XCTestCase {
  func testExpiryObeysItsLaws() throws { try Laws.check(.expiry, cases: Extent.cases(200)) }

  func testNoValueIsReturnedAtOrAfterItsDeadline() throws {
    let law = Laws.expiry.laws.filter { $0.name == "time.deadline" }
    let isLong = ProcessInfo.processInfo.environment["STRATA_LONG"] == "1"
    try Laws.check(Laws("time", law), cases: isLong ? 1_000_000 : Extent.cases(1000))
  }

  func testAClockThatIsSetChangesNothing() throws {
    try Laws.check(
      .clock { wall, elapsed in
        let start = elapsed()
        return TimeSource(
          startingAt: wall(), elapsed: { (elapsed() - start).wholeNanoseconds },
          after: TimeSource.system.after)
      })
  }

  func testASumOfTwoStampingCachesDiffers() {
    // The back-fill stamps the value again, so the copied value appears to be new.
    let near = Law(
      time: "near", "a.expiring(after:) + b.expiring(after:) == (a + b).expiring(after:)",
      "False, because each level expires separately. Sum the levels first."
    ) {
      $0.upper.clocked(by: $0.time).expiring(after: $0.lifetime)
        + $0.lower.clocked(by: $0.time).expiring(after: $0.lifetime)
    } is: {
      ($0.upper + $0.lower).clocked(by: $0.time).expiring(after: $0.lifetime)
    }
    XCTAssertNotNil(near.violation())
  }
}
