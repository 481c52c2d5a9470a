import XCTest

@testable import Strata

final class WriteQueueTests: XCTestCase {
  private let journal = Journal<String>()
  private var queue = WriteQueue()

  private func add(_ id: Int, of hash: Int?) -> Bool {
    queue.add(id, of: hash) { [journal] in { journal.note("\(id)") } }
  }

  private func wait(_ name: String, _ hash: Int) -> Bool {
    queue.wait(hash) { [journal] in journal.note(name) } != nil
  }

  /// Settles a write, and returns the operations that begin as a result.
  private func finish(_ id: Int, of hash: Int?) -> [String] {
    let before = journal.entries.count
    settle(id, of: hash).begin()
    return Array(journal.entries.dropFirst(before))
  }

  private func settle(_ id: Int, of hash: Int?, succeeded: Bool = true) -> WriteQueue.Next {
    queue.finish(id, of: hash, succeeded: succeeded, removal: 1_000 + id)
  }

  /// Settles a write, and returns the removal that the queue begins as a result.
  private func removal(after id: Int, of hash: Int?) throws -> WriteQueue.Removal {
    try XCTUnwrap(settle(id, of: hash).removal)
  }

  func testWritesOfOneKeyRunInOrderAndOtherKeysDoNotWait() {
    XCTAssertEqual([add(1, of: 7), add(2, of: 7), add(3, of: 7)], [true, false, false])
    XCTAssertTrue(add(4, of: 8))
    XCTAssertEqual(queue.holding, 2)
    XCTAssertEqual(finish(4, of: 8), [])
    XCTAssertEqual(finish(1, of: 7), ["2"])
    XCTAssertEqual(finish(2, of: 7), ["3"])
    XCTAssertEqual(finish(3, of: 7), [])
    XCTAssertEqual(queue.holding, 0)
    XCTAssertTrue(add(5, of: 7), "The queue should retain nothing of settled writes.")
  }

  func testAWriteOfAllKeysRunsAfterEarlierAndBeforeLaterWrites() {
    queue = WriteQueue(.level)
    XCTAssertEqual([add(1, of: 7), add(2, of: 8)], [true, true])
    XCTAssertEqual([add(3, of: nil), add(4, of: 7), add(5, of: 9)], [false, false, false])
    XCTAssertFalse(add(6, of: nil))
    XCTAssertEqual(finish(1, of: 7), [])
    XCTAssertEqual(finish(2, of: 8), ["3"])
    XCTAssertEqual(finish(3, of: nil), ["4", "5"])
    XCTAssertEqual(finish(5, of: 9), [])
    XCTAssertEqual(finish(4, of: 7), ["6"])
    XCTAssertEqual(finish(6, of: nil), [])
    XCTAssertEqual(queue.holding, 0)
  }

  func testAGetWaitsForTheLastEarlierWriteAndDelaysNoWrite() {
    queue = WriteQueue(.level)
    XCTAssertFalse(wait("early", 7))
    XCTAssertEqual([add(1, of: 7), add(2, of: 7)], [true, false])
    XCTAssertTrue(wait("get", 7))
    XCTAssertFalse(add(3, of: 7))
    XCTAssertFalse(wait("other key", 8))
    XCTAssertEqual(finish(1, of: 7), ["2"])
    XCTAssertEqual(finish(2, of: 7), ["get", "3"])
    XCTAssertEqual(finish(3, of: 7), [])
    XCTAssertFalse(wait("late", 7))
  }

  func testInASumAGetPassesWritesThatBeganImmediately() {
    XCTAssertTrue(add(1, of: 7))
    XCTAssertFalse(wait("get", 7))
    XCTAssertFalse(add(2, of: 7))
    XCTAssertTrue(wait("get", 7))
    XCTAssertFalse(wait("other key", 8))
    XCTAssertEqual(finish(1, of: 7), ["2"])
    XCTAssertEqual(finish(2, of: 7), ["get"])
  }

  func testInASumAWriteOfAllKeysWaitsForNoKeyAndMakesItsValueAbsent() throws {
    XCTAssertEqual([add(1, of: 7), add(2, of: 7)], [true, false])
    XCTAssertTrue(add(3, of: nil))
    XCTAssertTrue(queue.skips(7))
    XCTAssertFalse(queue.unknown.isUnknown(7))
    XCTAssertFalse(wait("get", 7), "The level has no value, so the get should not wait.")
    XCTAssertFalse(queue.skips(8))
    XCTAssertEqual([add(4, of: 8), add(5, of: nil)], [false, false])
    XCTAssertEqual(finish(3, of: nil), ["4", "5"])
    XCTAssertEqual(finish(1, of: 7), ["2"])
    XCTAssertEqual(finish(5, of: nil), [])
    let removal = try removal(after: 2, of: 7)
    XCTAssertTrue(queue.skips(7), "Gets should skip the level until the value is removed.")
    XCTAssertFalse(add(6, of: 7), "The removal would remove the value of a write that passes it.")
    queue.receive(removal, of: 7).begin()
    XCTAssertEqual(journal.entries.last, "6")
    queue.endRemoval(removal, of: 7, succeeded: true)
    XCTAssertFalse(queue.skips(7))
  }

  func testAWriteThatPassesItsBoundReleasesTheNextOne() throws {
    XCTAssertEqual([add(1, of: 7), add(2, of: 7)], [true, false])
    let next = try XCTUnwrap(queue.expire(1, of: 7))
    XCTAssertEqual(next.writes.count, 1)
    XCTAssertTrue(queue.skips(7))
    XCTAssertNil(settle(2, of: 7).removal)
    XCTAssertTrue(queue.skips(7))
    XCTAssertNotNil(
      settle(1, of: 7).removal, "The later write wins, so the value should be removed.")
    XCTAssertNil(queue.expire(2, of: 7), "A settled write should not expire.")
  }

  func testALateWriteThatWasNotOvertakenMakesItsValueKnown() {
    XCTAssertTrue(add(1, of: 7))
    XCTAssertNotNil(queue.expire(1, of: 7))
    XCTAssertEqual(queue.detours, 1)
    XCTAssertNil(settle(1, of: 7).removal)
    XCTAssertEqual([queue.detours, queue.count], [0, 0])
  }

  func testAFailedRemovalKeepsTheValueUnknownUntilALaterWriteSucceeds() throws {
    for hash in [7, nil] {
      queue = WriteQueue()
      XCTAssertTrue(add(1, of: 7))
      XCTAssertNotNil(queue.expire(1, of: 7))
      XCTAssertTrue(add(2, of: 7))
      let removal = try removal(after: 1, of: 7)
      _ = queue.receive(removal, of: 7)
      queue.endRemoval(removal, of: 7, succeeded: false)
      XCTAssertNil(
        queue.beginRemoval(3, of: 7), "A removal could remove the value of the write in flight.")
      _ = settle(2, of: 7)
      XCTAssertTrue(
        queue.skips(7), "Write 2 was called before the removal, so it should change nothing.")
      XCTAssertTrue(add(3, of: hash))
      _ = settle(3, of: hash, succeeded: false)
      XCTAssertTrue(queue.skips(7))
      XCTAssertTrue(add(4, of: hash))
      _ = settle(4, of: hash)
      XCTAssertFalse(queue.skips(7))
    }
  }

  func testALateWriteOfAllKeysMakesAllValuesUnknown() {
    XCTAssertTrue(add(1, of: nil))
    XCTAssertNotNil(queue.expire(1, of: nil))
    XCTAssertTrue(queue.skips(7))
    XCTAssertTrue(add(2, of: 7), "A write should not wait for an expired write.")
    _ = settle(1, of: nil)
    XCTAssertFalse(queue.skips(7))
  }

  func testALateWriteOfAllKeysThatFailsIsOwedUntilALaterOneSucceeds() throws {
    XCTAssertTrue(add(1, of: nil))
    XCTAssertNotNil(queue.expire(1, of: nil))
    let first = try XCTUnwrap(queue.beginRemoval(2, of: 7))
    XCTAssertTrue(first.isOfAll, "A get should begin another write of all keys.")
    XCTAssertFalse(add(3, of: nil))
    queue.receive(first, of: 7).begin()
    XCTAssertEqual(journal.entries.last, "3")
    XCTAssertNotNil(queue.expire(3, of: nil))
    queue.endRemoval(first, of: 7, succeeded: true)
    XCTAssertTrue(
      queue.skips(7), "Removal 2 was called before write 3, so gets should skip the level.")
    let second = try removal(after: 1, of: nil)
    XCTAssertTrue(second.isOfAll)
    _ = queue.receive(second, of: nil)
    XCTAssertNil(settle(3, of: nil, succeeded: false).removal, "A removal is in flight.")
    queue.endRemoval(second, of: nil, succeeded: true)
    XCTAssertFalse(queue.skips(7))
    XCTAssertEqual([queue.detours, queue.count], [0, 0])
  }

  func testAnOvertakenLateWriteIsRemovedIfTheLevelReceivesAllWritesImmediately() {
    for last in [7, nil, 8] {
      queue = WriteQueue(.immediate)
      XCTAssertEqual([add(1, of: 7), add(2, of: last)], [true, true])
      _ = settle(2, of: last)
      XCTAssertNotNil(queue.expire(1, of: 7))
      XCTAssertEqual(settle(1, of: 7).removal != nil, last != 8)
    }
  }

  func testALevelThatAnswersCorrectlyIsNeverSkipped() {
    for hash in [7, nil] {
      queue = WriteQueue(.ordered)
      XCTAssertEqual([add(1, of: hash), add(2, of: hash)], [true, true])
      XCTAssertNotNil(queue.expire(1, of: hash))
      XCTAssertFalse(queue.skips(7))
      XCTAssertNil(queue.expire(1, of: hash))
      XCTAssertNil(settle(1, of: hash).removal)
      XCTAssertNil(settle(2, of: hash).removal)
      XCTAssertEqual([queue.detours, queue.count], [0, 0])
    }
  }

  func testAWriteOfAllKeysTakesConstantTimeOverWritesInFlight() throws {
    for id in 1...100 { XCTAssertTrue(add(id, of: id)) }
    XCTAssertTrue(add(101, of: nil))
    XCTAssertEqual(
      [queue.unknown.count, queue.detours], [0, 100], "The queue should have no entry for a key.")
    XCTAssertFalse(add(102, of: 1))
    XCTAssertEqual(queue.unknown.count, 1)
    XCTAssertNotNil(queue.expire(2, of: 2))
    XCTAssertTrue(queue.unknown.isUnknown(2))
    for id in 1...101 {
      let removal = settle(id, of: id == 101 ? nil : id).removal
      XCTAssertEqual(removal != nil, id < 101)
      guard let removal else { continue }
      _ = queue.receive(removal, of: id)
      queue.endRemoval(removal, of: id, succeeded: true)
    }
    XCTAssertNil(settle(102, of: 1).removal)
    XCTAssertEqual([queue.detours, queue.count], [0, 0])
  }

  func testTheQueueRetainsNothingOfSettledWrites() {
    for id in 0..<100 { _ = add(id, of: id % 3) }
    XCTAssertEqual(queue.holding, 97)
    XCTAssertEqual(queue.count, 103)
    for id in 0..<100 { _ = settle(id, of: id % 3) }
    XCTAssertEqual(queue.holding, 0)
    XCTAssertEqual(queue.count, 0)
  }

  func testACancelledGetIsReleasedAndTheOthersKeepTheirOrder() throws {
    queue = WriteQueue(.level)
    XCTAssertTrue(add(1, of: 7))
    var held: Journal<String>? = Journal()
    let gone = { [weak held] in held == nil }
    XCTAssertTrue(wait("one", 7))
    let get = try XCTUnwrap(queue.wait(7) { [held] in held?.note("") })
    XCTAssertTrue(wait("two", 7))
    held = nil
    XCTAssertFalse(gone())
    _ = queue.cancel(get)
    XCTAssertTrue(gone())
    XCTAssertNil(queue.cancel(get))
    XCTAssertEqual(finish(1, of: 7), ["one", "two"])
    XCTAssertNil(queue.cancel(get))
  }
}
