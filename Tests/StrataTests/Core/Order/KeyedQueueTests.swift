import XCTest

@testable import StrataCore
@testable import StrataVerbs

final class KeyedQueueTests: XCTestCase {
  private let journal = Journal<String>()
  private let queue = KeyedQueue()

  private func add(_ hash: Int?, to queue: KeyedQueue? = nil) -> (id: Int, mayBegin: Bool) {
    (queue ?? self.queue).add(hash) { [journal] id in { journal.note("\(id)") } }
  }

  /// Ends a write, and returns the operations that begin as a result.
  private func end(_ id: Int, in queue: KeyedQueue? = nil) -> [String] {
    let before = journal.entries.count
    (queue ?? self.queue).end(id)
    return Array(journal.entries.dropFirst(before))
  }

  func testWritesOfOneKeyRunInOrderAndOtherKeysDoNotWait() {
    XCTAssertEqual([add(7), add(7), add(7), add(8)].map(\.mayBegin), [true, false, false, true])
    XCTAssertFalse(queue.isQuiet)
    XCTAssertEqual([end(4), end(1), end(2), end(3)], [[], ["2"], ["3"], []])
    XCTAssertTrue(queue.isQuiet)
    XCTAssertEqual(queue.count.writes, 0)
  }

  func testAClearWaitsForAllEarlierWritesAndAllLaterOnesForTheClear() {
    XCTAssertEqual([add(7), add(8)].map(\.mayBegin), [true, true])
    let later = [add(nil), add(7), add(9), add(nil)]
    XCTAssertEqual(later.map(\.mayBegin), [false, false, false, false])
    XCTAssertEqual([end(1), end(2), end(3)], [[], ["3"], ["4", "5"]])
    XCTAssertEqual([end(5), end(4), end(6)], [[], ["6"], []])
    XCTAssertTrue(queue.isQuiet)
  }

  func testAClearAtOnceOutrunsTheWritesInFlightAndDelaysLaterOnes() {
    let queue = KeyedQueue(clearsAtOnce: true)
    let early = [add(7, to: queue), add(7, to: queue)]
    XCTAssertTrue(add(nil, to: queue).mayBegin)
    XCTAssertEqual(early.map { queue.isOutrun($0.id) }, [true, true])
    XCTAssertEqual([add(7, to: queue), add(8, to: queue)].map(\.mayBegin), [false, true])
    XCTAssertFalse(queue.isOutrun(4))
    XCTAssertEqual([end(3, in: queue), end(1, in: queue), end(2, in: queue)], [[], ["2"], ["4"]])
  }

  func testAGetWaitsForTheLastEarlierWriteAndDelaysNoWrite() {
    XCTAssertNil(queue.earlierWrites(of: 7))
    _ = [add(7), add(7)]
    let get = queue.earlierWrites(of: 7)
    _ = add(7)
    XCTAssertNil(queue.earlierWrites(of: 8))
    XCTAssertEqual(end(1), ["2"])
    XCTAssertEqual(get?.text, "pending")
    XCTAssertEqual(end(2), ["4"])
    XCTAssertEqual(get?.text, "()")
  }

  func testAGetWaitsForNoBackFillButForAnEarlierWrite() {
    let fill = { self.queue.add($0, isFill: true) { _ in {} } }
    _ = fill(7)
    XCTAssertNil(queue.earlierWrites(of: 7))
    _ = [add(7), fill(7)]
    let get = queue.earlierWrites(of: 7)
    XCTAssertEqual(end(1), ["2"])
    XCTAssertEqual(get?.text, "pending")
    XCTAssertEqual(end(2), [])
    XCTAssertEqual(get?.text, "()")
    XCTAssertNil(queue.earlierWrites(of: 7))
  }

  func testACancelledGetLeavesNothingBehind() {
    _ = add(7)
    let gets = (0..<3).map { _ in queue.earlierWrites(of: 7) }
    gets[1]?.cancel()
    XCTAssertEqual(queue.count.gets, 2)
    XCTAssertEqual(end(1), [])
    XCTAssertEqual(gets.map { $0?.text }, ["()", "cancelled", "()"])
  }

  func testADroppedWriteKeepsItsPlace() {
    _ = [add(7), add(7), add(7)]
    queue.drop(2)
    XCTAssertEqual(end(1), ["3"])
    XCTAssertEqual(queue.count.writes, 1)
  }
}
