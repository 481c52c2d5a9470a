import XCTest

@testable import Strata

final class TurnsTests: XCTestCase {
  private let begun = Lock<[Int]>([])

  private func work(_ id: Int) -> Turns.Work {
    { [begun] in begun.withLock { $0.append(id) } }
  }

  func testTurnsOfAKeyFollowOneAnotherAndOtherKeysDoNotWait() {
    var turns = Turns()
    XCTAssertTrue(turns.take(1, of: 7, work(1)))
    XCTAssertFalse(turns.take(2, of: 7, work(2)))
    XCTAssertFalse(turns.take(3, of: 7, work(3)))
    XCTAssertTrue(turns.take(4, of: 8, work(4)))
    turns.finish(1, of: 7).begin()
    XCTAssertEqual(begun.withLock { $0 }, [2])
    turns.finish(2, of: 7).begin()
    XCTAssertEqual(begun.withLock { $0 }, [2, 3])
  }

  func testATurnOfAllKeysComesAfterAllBeforeItAndBeforeAllAfterIt() {
    var turns = Turns()
    XCTAssertTrue(turns.take(1, of: 7, work(1)))
    XCTAssertTrue(turns.take(2, of: 8, work(2)))
    XCTAssertFalse(turns.takeOfAll(3, work(3)))
    XCTAssertFalse(turns.take(4, of: 9, work(4)))
    turns.finish(1, of: 7).begin()
    XCTAssertEqual(begun.withLock { $0 }, [])
    turns.finish(2, of: 8).begin()
    turns.finish(3, of: nil).begin()
    XCTAssertEqual(begun.withLock { $0 }, [3, 4])
  }

  func testVisitorsGoBeforeTheTurnsBehind() {
    var turns = Turns()
    XCTAssertTrue(turns.take(1, of: 7, work(1)))
    XCTAssertFalse(turns.visit(7, onlyDelayed: true, work(0)), "The level has it already.")
    XCTAssertFalse(turns.take(2, of: 7, work(2)))
    XCTAssertTrue(turns.visit(7, onlyDelayed: true, work(20)))
    XCTAssertFalse(turns.take(3, of: 7, work(3)))
    turns.finish(1, of: 7).begin()
    turns.finish(2, of: 7).begin()
    XCTAssertEqual(begun.withLock { $0 }, [2, 20, 3])
  }

  func testNothingIsKeptOfWhatHasEnded() {
    var turns = Turns()
    for id in 0..<100 { _ = turns.take(id, of: id % 3, work(id)) }
    XCTAssertEqual(turns.delayed, 97)
    for id in 0..<100 { _ = turns.finish(id, of: id % 3) }
    XCTAssertEqual(turns.delayed, 0)
    for child in Mirror(reflecting: turns).children {
      XCTAssertEqual((child.value as? any Collection)?.isEmpty ?? true, true, child.label ?? "")
    }
  }
}
