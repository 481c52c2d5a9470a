import XCTest

@testable import Strata

final class MaxAgeTests: XCTestCase {
  private let (time, clock) = TimeSource.manual()
  private lazy var near: Cache<Int, Stamped<Int>> = .memory(on: time)
  private lazy var far: Cache<Int, Stamped<Int>> = .memory(on: time)

  func testALevelOfASumHasABoundOfItsOwn() {
    let cache = (near.maxAge(.seconds(5), on: time) + far).expiring(after: .seconds(60), on: time)
    cache.set(1, for: 0)
    near.set(Stamped(2, storedAt: clock.now), for: 0)  // As if it had not heard of the set.
    XCTAssertEqual(cache.get(0).answer, "2")
    clock.advance(by: .seconds(5))
    XCTAssertEqual(cache.get(0).answer, "1")
    XCTAssertEqual(near.get(0).outcome?.value?.value, 1)
    clock.advance(by: .seconds(55))
    XCTAssertEqual(cache.get(0).answer, "not found")
  }

  func testAnExpiredEntryAboveHidesALiveOneUnlessTheLevelIsBounded() {
    near.set(Stamped(1, storedAt: clock.now, lasting: .seconds(1)), for: 0)
    far.set(Stamped(2, storedAt: clock.now, lasting: .seconds(60)), for: 0)
    clock.advance(by: .seconds(1))
    XCTAssertEqual((near + far).expiring(on: time) { _, _ in nil }.get(0).answer, "not found")
    let bounded = (near.maxAge(.seconds(3600), on: time) + far).expiring(on: time) { _, _ in nil }
    XCTAssertEqual(bounded.get(0).answer, "2")
  }

  func testNoAgeAtAllAndAnyAge() {
    near.set(Stamped(1, storedAt: clock.now.advanced(by: .seconds(1))), for: 0)
    XCTAssertEqual(near.maxAge(.zero, on: time).get(0).answer, "not found")
    XCTAssertEqual(near.maxAge(.most * -1, on: time).get(0).answer, "not found")
    XCTAssertEqual(near.maxAge(.most, on: time).get(0).outcome?.value?.value, 1)
  }
}
