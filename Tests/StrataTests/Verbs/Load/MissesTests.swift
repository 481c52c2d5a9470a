import XCTest

@testable import StrataCore
@testable import StrataVerbs

final class MissesTests: XCTestCase {
  private let (time, clock) = TimeSource.manual()
  private lazy var misses = Misses<Int>(capacity: 100, clock: time)
  private let calls = Journal<Int>()

  /// Gets a key that the level doesn't have. If the level is called, `calls` records the key.
  @discardableResult
  private func miss(_ key: Int, _ error: any Error = CacheError.notFound) -> Promise<Int> {
    misses.get(key, for: { _ in .seconds(30) }) { [calls] key in
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
    miss(1, CacheError.timedOut())
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
    let misses = Misses<Key>(capacity: 10, clock: time)
    let calls = calls
    for id in [1, 2, 2, 1] {
      let answer: Promise<Int> = misses.get(Key(id: id), for: { _ in .seconds(30) }) { key in
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
      let get = misses.get(5, for: { _ in .seconds(30) }) { _ in work.promise }
      _ = misses.forgetting(key) { Promise() }
      work.continuation.fail(CacheError.notFound)
      XCTAssertEqual(get.outcome?.error as? CacheError, .notFound)
    }
    miss(5)
    XCTAssertEqual(calls.entries, [5])
  }

  func testNoThreadRemembersAMissThatMeetsAWrite() {
    let misses = Misses<Int>(capacity: 1_000, clock: time)
    let remembered = Journal<Int>()
    DispatchQueue.concurrentPerform(iterations: 4) { thread in
      for number in 0..<50 {
        let key = thread * 50 + number
        let work = Later<Int>()
        let get = misses.get(key, for: { _ in .seconds(30) }) { _ in work.promise }
        _ = misses.forgetting(key) { Promise() }
        work.continuation.fail(CacheError.notFound)
        let next = misses.get(key, for: { _ in nil }) { _ in Promise(7) }
        if get.text != next.text, next.text == "7" { continue }
        remembered.note(key)
      }
    }
    XCTAssertEqual(remembered.entries, [])
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

  /// An error that calls a closure when it is released.
  private final class Token: Error {
    private let onRelease: @Sendable () -> Void
    init(onRelease: @escaping @Sendable () -> Void) { self.onRelease = onRelease }
    deinit { onRelease() }
  }

  func testEachNewMissReleasesTwoExpiredMisses() {
    let released = Journal<Int>()
    for key in 0..<5 { miss(key, Token { released.note(key) }) }
    clock.advance(by: .seconds(30))
    for (key, count) in [(10, 2), (11, 4), (12, 5), (13, 5)] {
      miss(key)
      XCTAssertEqual(released.entries.sorted(), Array(0..<count))
    }
  }

  func testAReleasedErrorCanUseTheMisses() {
    let misses = Misses<Int>(capacity: 1, clock: time)
    let (lengths, done) = (Journal<Int>(), DispatchSemaphore(value: 0))
    Thread.detachNewThread {
      for key in 0..<2 {
        let get: Promise<Int> = misses.get(key, for: { _ in .seconds(30) }) { _ in
          Promise(error: Token { lengths.note(misses.queueLength) })
        }
        XCTAssertNotNil(get.outcome?.error)
      }
      _ = misses.forgetting(nil) { Promise() }
      done.signal()
    }
    XCTAssertEqual(done.wait(timeout: .now() + 300), .success)
    XCTAssertEqual(lengths.count, 2)
  }

  func testTheQueueIsRebuiltOnlyAfterManyMissesHaveBeenRemoved() {
    var (length, rebuilds) = (0, 0)
    for key in 0..<1_000 {
      miss(key)
      if misses.queueLength <= length { rebuilds += 1 }
      length = misses.queueLength
      _ = misses.forgetting(key) { Promise() }
    }
    XCTAssertLessThan(rebuilds, 1_000 / 32, "A rebuild should take O(1) time for each miss.")
  }

  func testALifetimeOfZeroOrOfLessThanANanosecondRemembersNothing() {
    for lifetime: Duration in [.zero, .nanoseconds(1) / 2] {
      let misses = Misses<Int>(capacity: 1, clock: time)
      let calls = Journal<Int>()
      for key in [0, 0, 1] {
        let get: Promise<Int> = misses.get(key, for: { _ in lifetime }) { key in
          calls.note(key)
          return .miss
        }
        XCTAssertEqual(get.answer, "not found")
      }
      XCTAssertEqual(calls.entries, [0, 0, 1])
      if lifetime == .zero { XCTAssertEqual(misses.queueLength, 0) }
    }
  }

  func testTheNumberOfKeysThatHaveBeenReadDoesNotAffectTheMemory() throws {
    guard try runsAlone() else { return }
    let growth = Memory.sizeOfThousandKeys { keys in
      let misses = Misses<Int>(capacity: 1, clock: time)
      for key in keys { _ = misses.get(key, for: { _ in nil }) { _ in Promise<Int>.miss } }
      return misses
    }
    XCTAssertLessThan(growth, 10_000)
  }
}
