import Foundation
import StrataLaws
import Synchronization
import XCTest

@testable import Strata

final class OperationOrderTests: XCTestCase {
  private let order = OperationOrder(.level)
  private let journal = Journal<String>()
  private let a = OperationOrder.hash("a")

  private func write(_ key: String?, _ name: String) -> (work: Later<Void>, end: Promise<Void>) {
    let work = Later<Void>(name, in: journal)
    let end = order.write(key.map(OperationOrder.hash)) { [journal] in
      journal.note("\(name) begun")
      return work.promise
    }
    return (work, end)
  }

  private func read(_ key: String, _ name: String) -> Promise<String> {
    order.read(OperationOrder.hash(key)) { [journal] in
      journal.note("\(name) begun")
      return Promise(name)
    }
  }

  func testWritesOfOneKeyReachTheLevelInOrder() {
    let (one, two, other) = (write("a", "one"), write("a", "two"), write("b", "other"))
    XCTAssertEqual(journal.entries, ["one begun", "other begun"])
    one.work.continuation.fail(Broken.here)
    XCTAssertEqual(one.end.text, "failed: here")
    XCTAssertEqual(journal.entries, ["one begun", "other begun", "two begun"])
    two.work.continuation.succeed()
    other.work.continuation.succeed()
    XCTAssertEqual([two.end.text, other.end.text], ["()", "()"])
  }

  func testAGetSeesExactlyTheEarlierWritesOfItsKey() {
    let (one, two) = (write("a", "one"), write("a", "two"))
    let (get, other) = (read("a", "get"), read("b", "other"))
    let three = write("a", "three")
    XCTAssertEqual([get.text, other.text], ["pending", "other"])
    one.work.continuation.succeed()
    two.work.continuation.succeed()
    XCTAssertEqual(get.text, "get")
    three.work.continuation.succeed()
    XCTAssertEqual(read("a", "late").text, "late")
    XCTAssertEqual(
      journal.entries,
      ["one begun", "other begun", "two begun", "get begun", "three begun", "late begun"])
  }

  func testAClearRunsBetweenTheEarlierAndTheLaterWrites() {
    let (one, clear, two) = (write("a", "one"), write(nil, "clear"), write("b", "two"))
    let get = read("c", "get")
    one.work.continuation.succeed()
    clear.work.continuation.succeed()
    two.work.continuation.succeed()
    XCTAssertEqual(journal.entries, ["one begun", "clear begun", "get begun", "two begun"])
    XCTAssertEqual([clear.end.text, two.end.text, get.text], ["()", "()", "get"])
  }

  func testAWriteCancelledWhileItWaitsNeverBeginsAndDelaysNoOperation() {
    let (one, two, three) = (write("a", "one"), write("a", "two"), write("a", "three"))
    two.end.cancel()
    one.work.continuation.succeed()
    XCTAssertEqual(journal.entries, ["one begun", "three begun"])
    three.work.continuation.succeed()
    XCTAssertEqual([two.end.text, three.end.text], ["cancelled", "()"])
  }

  func testAWriteCancelledAfterItsBeginningIsStopped() {
    let (one, two) = (write("a", "one"), write("a", "two"))
    one.end.cancel()
    XCTAssertEqual(journal.entries, ["one begun", "one stopped", "two begun"])
    two.work.continuation.succeed()
    XCTAssertEqual(two.end.text, "()")
  }

  func testAGetCancelledWhileItWaitsIsNeverBegun() {
    let one = write("a", "one")
    let get = read("a", "get")
    get.cancel()
    one.work.continuation.succeed()
    XCTAssertEqual(journal.entries, ["one begun"])
  }

  func testAWriteThatIsPreparedSlowlyKeepsItsPosition() {
    let prepared = Later<Int>()
    let journal = journal
    let slow = order.write(a, preparing: prepared.promise) { value in
      journal.note("slow \(value)")
      return Promise()
    }
    let quick = order.write(a, preparing: Promise(2)) { value in
      journal.note("quick \(value)")
      return Promise()
    }
    XCTAssertEqual(
      [slow.text, quick.text, read("a", "get").text], ["pending", "pending", "pending"])
    prepared.continuation.succeed(1)
    XCTAssertEqual(journal.entries, ["slow 1", "quick 2", "get begun"])
    XCTAssertEqual(order.write(a, preparing: Promise(3)) { _ in Promise() }.text, "()")
  }

  func testAWriteCancelledInAnyStageStopsItsPreparation() {
    let (first, second) = (Later<Int>("first", in: journal), Later<Int>("second", in: journal))
    let begun = order.write(a, preparing: first.promise) { _ in Promise() }
    let waiting = order.write(a, preparing: second.promise) { _ in Promise() }
    waiting.cancel()
    XCTAssertEqual(journal.entries, ["second stopped"])
    begun.cancel()
    XCTAssertEqual(journal.entries, ["second stopped", "first stopped"])
  }

  func testManyWritesOfOneKeyUseNoStackAndLeaveNothing() {
    weak var weakOrder: OperationOrder?
    let ended = onSmallStack { [a] () -> Int in
      let order = OperationOrder(.level)
      let (gate, journal) = (Later<Void>(), Journal<Int>())
      _ = order.write(a) { gate.promise }
      for number in 0..<20_000 {
        _ = order.write(a) {
          journal.note(number)
          return Promise()
        }
      }
      gate.continuation.succeed()
      return journal.entries == Array(0..<20_000) ? journal.entries.count : -1
    }
    do {
      let order = OperationOrder(.level)
      weakOrder = order
      let gate = Later<Void>()
      _ = order.write(a) { gate.promise }
      order.write(a) { Promise() }.cancel()
      _ = order.read(a) { Promise(1) }
      gate.continuation.fail(Broken.here)
    }
    XCTAssertEqual(ended, 20_000)
    XCTAssertNil(weakOrder)
  }

  func testAWriteCancelledWhileItBeginsRunsBeforeALaterOne() {
    let (begun, mayGoOn) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let landed = Lock<[Int]>([])
    let (order, prepared) = (OperationOrder(.level), Pending<Int>())
    let land: @Sendable (Int) -> Promise<Void> = { value in
      if value == 1 {
        begun.signal()
        mayGoOn.wait()
      }
      landed.withLock { $0.append(value) }
      return Promise()
    }
    let first = order.write(0, preparing: Promise(.pending(prepared)), land)
    let hasEnded = DispatchSemaphore(value: 0)
    Thread.detachNewThread {
      prepared.settle(.success(1))
      hasEnded.signal()
    }
    begun.wait()
    first.cancel()
    _ = order.write(0, preparing: Promise(2), land)
    mayGoOn.signal()
    hasEnded.wait()
    XCTAssertEqual(landed.withLock { $0 }, [1, 2])
  }

  func testACancelledGetThatWaitsLeavesNothingBehind() {
    let one = write("a", "one")
    let gets = (0..<3).map { read("a", "get \($0)") }
    XCTAssertEqual(order.waitingGets, 3)
    gets[1].cancel()
    XCTAssertEqual(order.waitingGets, 2, "A cancelled get should no longer wait for the write.")
    one.work.continuation.succeed()
    XCTAssertEqual(gets.map(\.text), ["get 0", "cancelled", "get 2"])
    XCTAssertEqual(journal.entries, ["one begun", "get 0 begun", "get 2 begun"])
    XCTAssertEqual(order.waitingGets, 0)
  }

  func testAWriteOvertakesTheGetsInFlightWhenItBeginsAndWhenItSettles() {
    let journal = journal
    let write = Later<Void>()
    let before = order.begin(a)
    let end = order.overtaking(a, then: { journal.note("discard") }) { write.promise }
    let during = order.begin(a)
    XCTAssertEqual([before, during].map(order.isCurrent), [false, true])
    XCTAssertEqual(journal.entries, ["discard"])
    XCTAssertEqual(end.text, "pending")
    write.continuation.succeed()
    XCTAssertEqual([before, during].map(order.isCurrent), [false, false])
    XCTAssertEqual(journal.entries, ["discard", "discard"])
    XCTAssertEqual(end.text, "()")
  }

  func testAClearOvertakesTheGetsOfAllKeys() {
    let gets = [order.begin(a), order.begin(7)]
    order.overtake(nil)
    XCTAssertEqual(gets.map(order.isCurrent), [false, false])
    XCTAssertTrue(order.isCurrent(order.begin(7)))
  }

  func testOvertakingDelaysNoLaterBackFill() {
    for hash in [a, nil] {
      order.overtake(hash)
      let seen = order.word.load(ordering: .acquiring) >> 1
      XCTAssertNotNil(order.begin(order.get(a, seen: seen)))
      XCTAssertTrue(order.mayStore(order.get(a, seen: seen)))
    }
  }

  func testAGetBeforeTheFirstWriteIsCurrent() {
    for order in [order, OperationOrder([.sum])] {
      for hash in [0, a] {
        let seen = order.word.load(ordering: .acquiring) >> 1
        XCTAssertTrue(order.isCurrent(order.get(hash, seen: seen)))
      }
    }
  }

  func testAnyOtherWriteOfItsKeyStopsABackFill() throws {
    let order = OperationOrder(queues: 2)
    let get = order.begin(a)
    let id = try XCTUnwrap(order.beginBackFill(get, queue: 0))
    XCTAssertNil(order.beginBackFill(get, queue: 0), "Only one back-fill should be in flight.")
    XCTAssertNotNil(order.beginBackFill(get, queue: 1))
    XCTAssertTrue(order.isQuiet, "A get should not wait for a back-fill.")
    XCTAssertEqual(
      order.beginWrite(a) { _, _ in {} }.mayBegin, [], "A write should wait for the back-fill.")
    XCTAssertFalse(order.isQuiet)
    XCTAssertEqual(order.finish(id, of: a, queue: 0).writes.count, 1)
    XCTAssertNil(order.beginBackFill(get, queue: 0), "An overtaken get should not back-fill.")
  }

  func testEachQueueHasItsOwnOrder() {
    let order = OperationOrder(queues: 2)
    let (first, mayBegin) = order.beginWrite(a) { _, _ in {} }
    XCTAssertEqual(mayBegin, [0, 1])
    XCTAssertEqual(order.beginWrite(a) { _, _ in {} }.mayBegin, [])
    XCTAssertNotNil(order.earlierWrites(of: a, queue: 0))
    XCTAssertEqual(order.finish(first, of: a, queue: 0).writes.count, 1)
    XCTAssertEqual(order.finish(first + 1, of: a, queue: 1).writes.count, 1)
  }
}
