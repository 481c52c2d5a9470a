import XCTest

@testable import Strata

final class MissesTests: XCTestCase {
  private let (time, clock) = TimeSource.manual()
  private lazy var misses = Misses<Int>(for: .seconds(30), capacity: 100, clock: time)
  private let calls = Journal<Int>()

  /// Gets a key that the level doesn't have. If the level is called, `calls` records the key.
  @discardableResult
  private func miss(_ key: Int, _ error: CacheError = .notFound) -> Promise<Int> {
    misses.get(key, where: { _ in true }) { [calls] key in
      calls.note(key)
      return Promise(error: error)
    }
  }

  func testRemovedMissesAreNotStoredHoweverLongTheOldestLives() {
    miss(0)
    for key in 1...10_000 {
      miss(key)
      _ = misses.forgetting(key) { Promise() }
    }
    XCTAssertLessThan(misses.queueLength, 110)
    miss(0)
    XCTAssertEqual(calls.entries.filter { $0 == 0 }.count, 1)
  }

  func testAMissHasItsErrorAndItsTime() {
    miss(1, .timedOut())
    clock.advance(by: .seconds(29))
    XCTAssertEqual(miss(1).outcome?.error as? CacheError, .timedOut())
    XCTAssertEqual(calls.entries, [1])
    clock.advance(by: .seconds(1))
    miss(1)
    XCTAssertEqual(calls.entries, [1, 1])
  }

  func testAKeyWithAnEqualHashIsAnotherKey() {
    struct Key: Hashable {
      let id: Int
      func hash(into hasher: inout Hasher) { hasher.combine(0) }
    }
    let misses = Misses<Key>(for: .seconds(30), capacity: 10, clock: time)
    let calls = calls
    for id in [1, 2, 2, 1] {
      let answer: Promise<Int> = misses.get(Key(id: id), where: { _ in true }) { key in
        calls.note(key.id)
        return .miss
      }
      XCTAssertEqual(answer.outcome?.error as? CacheError, .notFound)
    }
    XCTAssertEqual(calls.entries, [1, 2, 1])
  }

  func testAMissThatMeetsAWriteIsNotRemembered() {
    for key: Int? in [5, nil] {
      let work = Later<Int>()
      let get = misses.get(5, where: { _ in true }) { _ in work.promise }
      _ = misses.forgetting(key) { Promise() }
      work.continuation.fail(CacheError.notFound)
      XCTAssertEqual(get.outcome?.error as? CacheError, .notFound)
    }
    miss(5)
    XCTAssertEqual(calls.entries, [5])
  }

  func testAWriteForgetsWhenItBeginsAndWhenItSettles() {
    miss(5)
    let write = Later<Void>()
    let end = misses.forgetting(5) {
      miss(5)
      return write.promise
    }
    XCTAssertEqual(calls.entries, [5, 5])
    miss(5)
    XCTAssertEqual(calls.entries, [5, 5], "A miss during the write should be remembered.")
    write.continuation.succeed()
    XCTAssertEqual(end.text, "()")
    miss(5)
    XCTAssertEqual(calls.entries, [5, 5, 5])
  }
}
