import StrataLaws
import XCTest

@testable import StrataCore
@testable import StrataVerbs

/// Checks the laws of verbs that expire values. The programs of these laws use a manual clock. Each
/// value is stored with a stamp that determines the value's age.
final class TimeLaws: XCTestCase {
  func testExpiryObeysItsLaws() async throws {
    try await checkTogether(.expiry, cases: Extent.cases(400))
  }

  func testNoValueIsReturnedAtOrAfterItsDeadline() async throws {
    let law = Laws.expiry.laws.filter { $0.name == "time.deadline" }
    try await checkTogether(
      Laws("time", law), cases: Extent.isFull ? 1_000_000 : Extent.cases(2000))
  }

  func testAClockThatIsSetChangesNothing() async throws {
    try await checkTogether(
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
