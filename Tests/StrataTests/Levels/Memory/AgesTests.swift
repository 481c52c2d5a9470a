import XCTest

@testable import Strata

final class AgesTests: XCTestCase {
  private let (time, clock) = TimeSource.manual()
  private lazy var ages = Ages<Stamped<Int>>(time.now) { ($0.storedAt, $0.expiresAt) }

  private func stamped(_ lifetime: Duration?, after delay: Duration = .zero) -> Stamped<Int> {
    Stamped(1, storedAt: clock.now.advanced(by: delay), lasting: lifetime)
  }

  func testOnlyWhatIsAliveIsLetIn() {
    XCTAssertTrue(ages.admits(stamped(nil)))
    XCTAssertTrue(ages.admits(stamped(.seconds(1))))
    XCTAssertFalse(ages.admits(stamped(.zero)))
    XCTAssertFalse(ages.admits(stamped(nil, after: .seconds(61))), "It is of the future.")
  }

  func testAnEarlierEndIsToldFromALaterOne() {
    XCTAssertTrue(ages.isNotEarlier(stamped(.seconds(2)), than: stamped(.seconds(1))))
    XCTAssertTrue(ages.isNotEarlier(stamped(.seconds(2)), than: stamped(.seconds(2))))
    XCTAssertFalse(ages.isNotEarlier(stamped(.seconds(1)), than: stamped(.seconds(2))))
    XCTAssertTrue(ages.isNotEarlier(stamped(nil), than: stamped(.seconds(2))))
    XCTAssertFalse(ages.isNotEarlier(stamped(.seconds(2)), than: stamped(nil)))
  }

  func testNothingIsDueUntilSomethingThatIsOverWasSeenToBe() throws {
    _ = ages.admits(stamped(nil))
    ages.schedule(1, stamped(.seconds(10)))
    ages.schedule(2, stamped(.seconds(20)))
    ages.schedule(3, stamped(nil))
    XCTAssertNil(ages.dueNow)
    clock.advance(by: .seconds(15))
    XCTAssertNil(ages.dueNow, "It goes by the moments at which values came.")
    _ = ages.admits(stamped(nil))
    let now = try XCTUnwrap(ages.dueNow)
    XCTAssertEqual(ages.next(by: now), 1)
    XCTAssertNil(ages.next(by: now))
    ages.noteDue()
    XCTAssertNil(ages.dueNow)
  }

  func testWhatIsTakenOutIsNotDue() {
    _ = ages.admits(stamped(nil))
    ages.schedule(1, stamped(.seconds(1)))
    ages.schedule(2, stamped(.seconds(1)))
    ages.unschedule(1)
    clock.advance(by: .seconds(5))
    _ = ages.admits(stamped(nil))
    XCTAssertEqual(ages.dueNow.flatMap(ages.next), 2)
    ages.schedule(3, stamped(.seconds(1)))
    ages.removeAll()
    clock.advance(by: .seconds(5))
    _ = ages.admits(stamped(nil))
    XCTAssertNil(ages.dueNow)
  }
}
