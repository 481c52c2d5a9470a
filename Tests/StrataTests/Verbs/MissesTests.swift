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

  func testAMissHasItsKeyItsErrorAndItsTime() throws {
    let misses = Misses<Int>(for: .seconds(30), capacity: 10, on: time)
    misses.remember(1, 5, CacheError.timedOut, unlessWrittenSince: misses.look(5).mark)
    let miss = try XCTUnwrap(misses.look(5).miss)
    XCTAssertEqual(misses.error(of: miss, 1) as? CacheError, .timedOut)
    XCTAssertNil(misses.error(of: miss, 2), "Another key of the same hash.")
    clock.advance(by: .seconds(30))
    XCTAssertNil(misses.error(of: miss, 1))
  }

  func testAMissThatMeetsAWriteIsNotRemembered() {
    let misses = Misses<Int>(for: .seconds(30), capacity: 10, on: time)
    for write: Int? in [5, nil] {
      let mark = misses.look(5).mark
      misses.forget(write)
      misses.remember(1, 5, CacheError.notFound, unlessWrittenSince: mark)
      XCTAssertNil(misses.look(5).miss)
    }
  }

  func testAWriteForgetsWhenItBeginsAndWhenItHasEnded() {
    let misses = Misses<Int>(for: .seconds(30), capacity: 10, on: time)
    func remember() {
      misses.remember(1, 5, CacheError.notFound, unlessWrittenSince: misses.look(5).mark)
    }
    remember()
    let write = Later<Void>()
    let ended = misses.forgetting(5) {
      XCTAssertNil(misses.look(5).miss)
      return write.promise
    }
    remember()
    XCTAssertNotNil(misses.look(5).miss)
    write.continuation.succeed()
    XCTAssertNil(misses.look(5).miss)
    XCTAssertEqual(ended.text, "()")
  }
}
