import XCTest

@testable import Strata

final class PoolTests: XCTestCase {
  private let pool = Pool<Int, Int>()
  private let journal = Journal<Int>()

  private func load(_ key: Int, _ answer: Promise<Int>) -> Promise<Int> {
    pool.load(key) { key in
      journal.note(key)
      return answer
    }
  }

  /// What is held while nothing is under way: nothing.
  private var isAtRest: Bool {
    pool.state.withLock { $0.loads.isEmpty && $0.attached.isEmpty }
      && pool.attachedLoads.load(ordering: .relaxed) == 0
      && (0..<Pool<Int, Int>.places).allSatisfy {
        (pool.marks + $0).pointee.load(ordering: .relaxed) == 0
      }
  }

  func testAnAnswerThatIsThereIsGivenAsItIsAndNothingIsHeld() {
    XCTAssertTrue(load(0, Promise(1)).isReady)
    XCTAssertEqual(load(0, Promise(error: Broken.here)).text, "failed: here")
    XCTAssertEqual(journal.entries, [0, 0])
    XCTAssertTrue(isAtRest)
  }

  func testWhoeverComesDuringALoadJoinsItAlsoFromWithinIt() {
    let later = Later<Int>()
    var inner: Promise<Int>?
    let outer = pool.load(0) { _ in
      inner = load(0, Promise(7))
      return later.promise
    }
    let next = load(0, Promise(8))
    XCTAssertEqual(journal.entries, [])
    later.continuation.succeed(1)
    XCTAssertEqual([outer.text, inner?.text, next.text], ["1", "1", "1"])
    XCTAssertTrue(isAtRest)
  }

  func testALoadThatWasDetachedIsJoinedNoMoreAndAnswersThoseWhoHaveJoined() {
    let (old, new) = (Later<Int>(), Later<Int>())
    let before = [load(0, old.promise), load(0, old.promise)]
    pool.detach(pool.hash(0))
    let after = load(0, new.promise)
    XCTAssertEqual(journal.entries, [0, 0])
    new.continuation.succeed(2)
    old.continuation.succeed(1)
    XCTAssertEqual(before.map(\.text) + [after.text], ["1", "1", "2"])
    XCTAssertTrue(isAtRest)
  }

  func testDetachingAllDetachesEach() {
    let works = (0..<40).map { _ in Later<Int>() }
    let gets = works.indices.map { load($0, works[$0].promise) }
    pool.detach(nil)
    XCTAssertEqual(pool.attachedLoads.load(ordering: .relaxed), 0)
    for work in works { work.continuation.succeed(1) }
    XCTAssertEqual(gets.map(\.text), Array(repeating: "1", count: 40))
    XCTAssertTrue(isAtRest)
  }

  func testTheLastToLeaveStopsTheLoadAndTheNextBeginsAnother() {
    let stopped = Journal<String>()
    let work = Later<Int>("work", in: stopped)
    let gets = [load(0, work.promise), load(0, work.promise)]
    gets[0].cancel()
    XCTAssertEqual(stopped.entries, [])
    gets[1].cancel()
    XCTAssertEqual(stopped.entries, ["work stopped"])
    XCTAssertEqual(load(0, Promise(2)).text, "2")
    XCTAssertTrue(isAtRest)
  }
}
