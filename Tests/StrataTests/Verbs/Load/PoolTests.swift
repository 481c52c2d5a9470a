import XCTest

@testable import StrataCore
@testable import StrataVerbs

final class PoolTests: XCTestCase {
  private let pool = Pool<Int, Int>()
  private let journal = Journal<Int>()

  private func load(_ key: Int, _ answer: Promise<Int>) -> Promise<Int> {
    pool.load(key, reportingTo: nil) { key in
      journal.note(key)
      return answer
    }
  }

  private var isAtRest: Bool { pool.count == 0 }

  func testASettledLoadIsReturnedUnchangedAndNotStored() {
    XCTAssertTrue(load(0, Promise(1)).isReady)
    XCTAssertEqual(load(0, Promise(error: Broken.here)).text, "failed: here")
    XCTAssertEqual(journal.entries, [0, 0])
    XCTAssertTrue(isAtRest)
  }

  func testAGetDuringALoadJoinsItAlsoFromWithinIt() {
    let later = Later<Int>()
    var inner: Promise<Int>?
    let outer = pool.load(0, reportingTo: nil) { _ in
      inner = load(0, Promise(7))
      return later.promise
    }
    let next = load(0, Promise(8))
    XCTAssertEqual(journal.entries, [])
    later.continuation.succeed(1)
    XCTAssertEqual([outer.text, inner?.text, next.text], ["1", "1", "1"])
    XCTAssertTrue(isAtRest)
  }

  func testADetachedLoadAcceptsNoMoreWaitersAndAnswersThoseItHas() {
    let (old, new) = (Later<Int>(), Later<Int>())
    let before = [load(0, old.promise), load(0, old.promise)]
    pool.detach(0)
    let after = load(0, new.promise)
    XCTAssertEqual(journal.entries, [0, 0])
    new.continuation.succeed(2)
    old.continuation.succeed(1)
    XCTAssertEqual(before.map(\.text) + [after.text], ["1", "1", "2"])
    XCTAssertTrue(isAtRest)
  }

  func testDetachingAllDetachesEachLoad() {
    let works = (0..<40).map { _ in Later<Int>() }
    let gets = works.indices.map { load($0, works[$0].promise) }
    pool.detach(nil)
    XCTAssertEqual(load(0, Promise(2)).text, "2", "A later get should not join.")
    for work in works { work.continuation.succeed(1) }
    XCTAssertEqual(gets.map(\.text), Array(repeating: "1", count: 40))
    XCTAssertTrue(isAtRest)
  }

  func testTheLastCancelledWaiterStopsTheLoadAndTheNextGetBeginsAnother() {
    let stopped = Journal<String>()
    let work = Later<Int>("work", in: stopped)
    let gets = [load(0, work.promise), load(0, work.promise)]
    gets[0].cancel()
    XCTAssertEqual(stopped.entries, [])
    gets[1].cancel()
    XCTAssertEqual(stopped.entries, ["work stopped"])
    XCTAssertTrue(isAtRest)
    XCTAssertEqual(load(0, Promise(2)).text, "2")
    XCTAssertTrue(isAtRest)
  }

  func testAGetThatJoinsReportsTheTimeThatItWaited() {
    let (time, clock) = TimeSource.manual()
    let events = Journal<String>()
    let reporter = Reporter(
      stage: "a", observer: CacheObserver { events.note("\($0)") }, time: time)
    let work = Later<Int>()
    let gets = (0..<2).map { _ in
      pool.load(0, reportingTo: reporter) { _ in work.promise }
    }
    clock.advance(by: .seconds(2))
    work.continuation.succeed(1)
    XCTAssertEqual(gets.map(\.text), ["1", "1"])
    XCTAssertEqual(events.entries, ["a: join done in 2.0 s"])
  }

  func testAWriteDetachesWhenItBeginsAndWhenItSettles() {
    let works = (0..<3).map { _ in Later<Int>() }
    let write = Later<Void>()
    var gets = [load(0, works[0].promise)]
    let end = pool.detaching(0) { write.promise }
    gets += [load(0, works[1].promise), load(0, works[2].promise)]
    XCTAssertEqual(journal.entries, [0, 0], "Gets during the write should share a load.")
    write.continuation.succeed()
    XCTAssertEqual(end.text, "()")
    gets.append(load(0, works[2].promise))
    for (index, work) in works.enumerated() { work.continuation.succeed(index) }
    XCTAssertEqual(gets.map(\.text), ["0", "1", "1", "2"])
    XCTAssertTrue(isAtRest)
  }

  func testAGetAfterTheCallOfAWriteJoinsNoLoadThatBeganBeforeTheCallReturned() {
    let (old, new, write) = (Later<Int>(), Later<Int>(), Later<Void>())
    var early: Promise<Int>?
    _ = pool.detaching(0) {
      early = load(0, old.promise)
      return write.promise
    }
    let late = load(0, new.promise)
    new.continuation.succeed(2)
    old.continuation.succeed(1)
    XCTAssertEqual([early?.text, late.text], ["1", "2"])
    XCTAssertTrue(isAtRest)
  }

  /// The level's write may tell somebody who reads the key before the call of the write returns.
  func testAGetDuringTheCallOfAWriteJoinsNoEarlierLoad() {
    let (old, new) = (Later<Int>(), Later<Int>())
    let early = load(0, old.promise)
    var late: Promise<Int>?
    _ = pool.detaching(0) {
      late = load(0, new.promise)
      return Promise()
    }
    new.continuation.succeed(2)
    old.continuation.succeed(1)
    XCTAssertEqual([early.text, late?.text], ["1", "2"])
  }

  func testAGetThatJoinsDuringTheCallReceivesAReadyResult() {
    for result in [Promise(1), Promise(error: Broken.here), .cancelled] {
      var inner: Promise<Int>?
      let outer = pool.load(0, reportingTo: nil) { _ in
        inner = load(0, Promise(7))
        return result
      }
      XCTAssertEqual([outer.text, inner?.text], [result.text, result.text])
      XCTAssertTrue(isAtRest)
    }
  }

  func testAGetThatIsCancelledDuringTheCallDoesNotStopTheLoad() {
    let work = Later<Int>()
    let outer = pool.load(0, reportingTo: nil) { _ in
      load(0, Promise(7)).cancel()
      return work.promise
    }
    work.continuation.succeed(1)
    XCTAssertEqual(outer.text, "1")
    XCTAssertTrue(isAtRest)
  }

  func testKeysWithEqualHashesHaveSeparateLoads() {
    struct Key: Hashable {
      let id: Int
      func hash(into hasher: inout Hasher) { hasher.combine(0) }
    }
    let pool = Pool<Key, Int>()
    let works = (0..<3).map { _ in Later<Int>() }
    let gets = works.indices.map { index in
      pool.load(Key(id: index % 2), reportingTo: nil) { _ in works[index].promise }
    }
    works[0].continuation.succeed(10)
    works[1].continuation.succeed(11)
    XCTAssertEqual(gets.map(\.text), ["10", "11", "10"])
    XCTAssertEqual(pool.count, 0)
  }

  func testALoadThatEndsLeavesTheNewerLoadOfItsKeyInFlight() {
    let works = (0..<2).map { _ in Later<Int>() }
    var gets = [load(0, works[0].promise)]
    pool.detach(0)
    gets.append(load(0, works[1].promise))
    works[0].continuation.succeed(1)
    gets.append(load(0, Promise(3)))
    XCTAssertEqual(journal.entries, [0, 0], "The last get should join the newer load.")
    works[1].continuation.succeed(2)
    XCTAssertEqual(gets.map(\.text), ["1", "2", "2"])
    XCTAssertTrue(isAtRest)
  }

  func testTheNumberOfKeysThatHaveBeenLoadedDoesNotAffectTheMemory() throws {
    guard try runsAlone() else { return }
    let growth = Memory.sizeOfThousandKeys { keys in
      let pool = Pool<Int, Int>()
      for key in keys { _ = pool.load(key, reportingTo: nil) { Promise($0) } }
      return pool
    }
    XCTAssertLessThan(growth, 10_000)
  }
}
