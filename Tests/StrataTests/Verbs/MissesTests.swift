import XCTest

@testable import Strata

final class MissesTests: XCTestCase {
  private let (time, clock) = TimeSource.manual()

  func testWhatIsGoneIsNotKeptHoweverLongTheOldestLives() {
    let misses = Misses<Int>(for: .seconds(30), capacity: 100, on: time)
    misses.remember(0, 0, CacheError.notFound, unlessWrittenSince: misses.look(0).mark)
    for key in 1...10_000 {
      misses.remember(key, key, CacheError.notFound, unlessWrittenSince: misses.look(key).mark)
      misses.forget(key)
    }
    XCTAssertLessThan(misses.places, 100)
    XCTAssertNotNil(misses.look(0).miss)
  }
}
