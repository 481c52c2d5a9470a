import XCTest

@testable import StrataCore
@testable import StrataVerbs

final class AgedTests: XCTestCase {
  private let (time, clock) = TimeSource.manual()
  private lazy var near: Cache<Int, Stamped<Int>> = .memory(clock: time)
  private lazy var far: Cache<Int, Stamped<Int>> = .memory(clock: time)

  func testALevelOfASumMayHaveItsOwnBound() {
    let cache = (near.clocked(by: time).aged(atMost: .seconds(5)) + far).clocked(by: time).expiring(
      after: .seconds(60))
    _ = cache.set(0, 1)
    _ = near.set(0, Stamped(2, storedAt: clock.now))  // Simulates a missed `set`.
    XCTAssertEqual(cache.get(0).answer, "2")
    clock.advance(by: .seconds(5))
    XCTAssertEqual(cache.get(0).answer, "1")
    XCTAssertEqual(near.get(0).outcome?.value?.value, 1)
    clock.advance(by: .seconds(55))
    XCTAssertEqual(cache.get(0).answer, "not found")
  }

  func testAnExpiredEntryAboveHidesAValidOneUnlessTheLevelIsBounded() {
    _ = near.set(0, Stamped(1, storedAt: clock.now, lasting: .seconds(1)))
    _ = far.set(0, Stamped(2, storedAt: clock.now, lasting: .seconds(60)))
    clock.advance(by: .seconds(1))
    XCTAssertEqual(
      (near + far).clocked(by: time).expiring { _, _ in nil }.get(0).answer, "not found")
    let bounded = (near.clocked(by: time).aged(atMost: .seconds(3600)) + far).clocked(by: time)
      .expiring {
        _, _ in nil
      }
    XCTAssertEqual(bounded.get(0).answer, "2")
  }

  func testAMaximumAgeOfZeroAndAHugeOne() {
    _ = near.set(0, Stamped(1, storedAt: clock.now.advanced(by: .seconds(1))))
    XCTAssertEqual(near.clocked(by: time).aged(atMost: .zero).get(0).answer, "not found")
    XCTAssertEqual(near.clocked(by: time).aged(atMost: .most * -1).get(0).answer, "not found")
    XCTAssertEqual(near.clocked(by: time).aged(atMost: .most).get(0).outcome?.value?.value, 1)
  }
}
