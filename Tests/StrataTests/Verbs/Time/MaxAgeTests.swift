import XCTest

@testable import StrataCore

final class MaxAgeTests: XCTestCase {
  private let (time, clock) = TimeSource.manual()
  private lazy var near: Cache<Int, Stamped<Int>> = .memory(clock: time)
  private lazy var far: Cache<Int, Stamped<Int>> = .memory(clock: time)

  func testALevelOfASumMayHaveItsOwnBound() {
    let cache = (near.clocked(by: time).maxAge(.seconds(5)) + far).clocked(by: time).expiring(
      after: .seconds(60))
    cache.set(1, for: 0)
    near.set(Stamped(2, storedAt: clock.now), for: 0)  // Simulates a missed `set`.
    XCTAssertEqual(cache.get(0).answer, "2")
    clock.advance(by: .seconds(5))
    XCTAssertEqual(cache.get(0).answer, "1")
    XCTAssertEqual(near.get(0).outcome?.value?.value, 1)
    clock.advance(by: .seconds(55))
    XCTAssertEqual(cache.get(0).answer, "not found")
  }

  func testAnExpiredEntryAboveHidesAValidOneUnlessTheLevelIsBounded() {
    near.set(Stamped(1, storedAt: clock.now, lasting: .seconds(1)), for: 0)
    far.set(Stamped(2, storedAt: clock.now, lasting: .seconds(60)), for: 0)
    clock.advance(by: .seconds(1))
    XCTAssertEqual(
      (near + far).clocked(by: time).expiring { _, _ in nil }.get(0).answer, "not found")
    let bounded = (near.clocked(by: time).maxAge(.seconds(3600)) + far).clocked(by: time).expiring {
      _, _ in nil
    }
    XCTAssertEqual(bounded.get(0).answer, "2")
  }

  func testAMaximumAgeOfZeroAndAHugeOne() {
    near.set(Stamped(1, storedAt: clock.now.advanced(by: .seconds(1))), for: 0)
    XCTAssertEqual(near.clocked(by: time).maxAge(.zero).get(0).answer, "not found")
    XCTAssertEqual(near.clocked(by: time).maxAge(.most * -1).get(0).answer, "not found")
    XCTAssertEqual(near.clocked(by: time).maxAge(.most).get(0).outcome?.value?.value, 1)
  }
}
