import XCTest

@testable import Strata

final class TurnsTests: XCTestCase {
  private let journal = Journal<String>()
  private var turns = Turns()

  private func take(_ id: Int, of hash: Int?) -> Bool {
    let work: Turns.Work = { [journal] in journal.note("\(id)") }
    return hash.map { turns.take(id, of: $0, work) } ?? turns.takeOfAll(id, work)
  }

  private func visit(_ name: String, _ hash: Int, onlyDelayed: Bool = false) -> Bool {
    turns.visit(hash, onlyDelayed: onlyDelayed) { [journal] in journal.note(name) } != nil
  }

  /// What comes out when a turn ends.
  private func finish(_ id: Int, of hash: Int?) -> [String] {
    let before = journal.entries.count
    turns.finish(id, of: hash).begin()
    return Array(journal.entries.dropFirst(before))
  }

  func testTurnsOfOneKeyComeInOrderAndOthersDoNotWait() {
    XCTAssertEqual([take(1, of: 7), take(2, of: 7), take(3, of: 7)], [true, false, false])
    XCTAssertTrue(take(4, of: 8))
    XCTAssertEqual(turns.delayed, 2)
    XCTAssertEqual(finish(4, of: 8), [])
    XCTAssertEqual(finish(1, of: 7), ["2"])
    XCTAssertEqual(finish(2, of: 7), ["3"])
    XCTAssertEqual(finish(3, of: 7), [])
    XCTAssertEqual(turns.delayed, 0)
    XCTAssertTrue(take(5, of: 7), "nothing is left of turns that have ended")
  }

  func testATurnOfAllKeysComesAfterAllBeforeItAndBeforeAllAfterIt() {
    XCTAssertEqual([take(1, of: 7), take(2, of: 8)], [true, true])
    XCTAssertEqual([take(3, of: nil), take(4, of: 7), take(5, of: 9)], [false, false, false])
    XCTAssertFalse(take(6, of: nil))
    XCTAssertEqual(finish(1, of: 7), [])
    XCTAssertEqual(finish(2, of: 8), ["3"])
    XCTAssertEqual(finish(3, of: nil), ["4", "5"])
    XCTAssertEqual(finish(5, of: 9), [])
    XCTAssertEqual(finish(4, of: 7), ["6"])
    XCTAssertEqual(finish(6, of: nil), [])
    XCTAssertEqual(turns.delayed, 0)
  }

  func testAVisitorWaitsForTheLastTurnBeforeItAndHoldsNobodyUp() {
    XCTAssertFalse(visit("early", 7))
    XCTAssertEqual([take(1, of: 7), take(2, of: 7)], [true, false])
    XCTAssertTrue(visit("get", 7))
    XCTAssertFalse(take(3, of: 7))
    XCTAssertFalse(visit("other key", 8))
    XCTAssertEqual(finish(1, of: 7), ["2"])
    XCTAssertEqual(finish(2, of: 7), ["get", "3"])
    XCTAssertEqual(finish(3, of: 7), [])
    XCTAssertFalse(visit("late", 7))
  }

  func testAVisitorOfDelayedTurnsPassesThoseThatBeganAtOnce() {
    XCTAssertTrue(take(1, of: 7))
    XCTAssertFalse(visit("get", 7, onlyDelayed: true))
    XCTAssertFalse(take(2, of: nil))
    XCTAssertTrue(visit("get", 7, onlyDelayed: true))
    XCTAssertTrue(visit("other key", 8, onlyDelayed: true))
    XCTAssertEqual(finish(1, of: 7), ["2"])
    XCTAssertEqual(finish(2, of: nil), ["get", "other key"])
  }

  func testNothingIsKeptOfWhatHasEnded() {
    for id in 0..<100 { _ = take(id, of: id % 3) }
    XCTAssertEqual(turns.delayed, 97)
    XCTAssertEqual(turns.kept, 103)
    for id in 0..<100 { _ = turns.finish(id, of: id % 3) }
    XCTAssertEqual(turns.delayed, 0)
    XCTAssertEqual(turns.kept, 0)
  }

  func testAVisitorThatLeavesIsLetGoOfAndTheOthersComeInTheirOrder() throws {
    XCTAssertTrue(take(1, of: 7))
    var held: Journal<String>? = Journal()
    let gone = { [weak held] in held == nil }
    XCTAssertTrue(visit("one", 7))
    let visit = try XCTUnwrap(turns.visit(7, onlyDelayed: false) { [held] in held?.note("") })
    XCTAssertTrue(self.visit("two", 7))
    held = nil
    XCTAssertFalse(gone())
    _ = turns.leave(visit)
    XCTAssertTrue(gone())
    XCTAssertNil(turns.leave(visit))
    XCTAssertEqual(finish(1, of: 7), ["one", "two"])
    XCTAssertNil(turns.leave(visit))
  }
}
