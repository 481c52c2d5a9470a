import Foundation
import StrataLaws
import Synchronization
import XCTest

@testable import StrataCore
@testable import StrataVerbs

final class KeyedQueueWorkTests: XCTestCase {
  private final class Held: Sendable {}

  private let queue = KeyedQueue()
  private let journal = Journal<String>()
  private let a = KeyVersions.hash("a")

  private func write(_ key: String?, _ name: String) -> (work: Later<Void>, end: Promise<Void>) {
    let work = Later<Void>(name, in: journal)
    let end = queue.write(key.map(KeyVersions.hash)) { [journal] in
      journal.note("\(name) begun")
      return work.promise
    }
    return (work, end)
  }

  private func read(_ key: String, _ name: String) -> Promise<String> {
    queue.read(KeyVersions.hash(key)) { [journal] in
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
    let slow = queue.write(a, preparing: prepared.promise) { value in
      journal.note("slow \(value)")
      return Promise()
    }
    let quick = queue.write(a, preparing: Promise(2)) { value in
      journal.note("quick \(value)")
      return Promise()
    }
    XCTAssertEqual(
      [slow.text, quick.text, read("a", "get").text], ["pending", "pending", "pending"])
    prepared.continuation.succeed(1)
    XCTAssertEqual(journal.entries, ["slow 1", "quick 2", "get begun"])
    XCTAssertEqual(queue.write(a, preparing: Promise(3)) { _ in Promise() }.text, "()")
  }

  func testAWriteCancelledInAnyStageStopsItsPreparation() {
    let (first, second) = (Later<Int>("first", in: journal), Later<Int>("second", in: journal))
    let begun = queue.write(a, preparing: first.promise) { _ in Promise() }
    let waiting = queue.write(a, preparing: second.promise) { _ in Promise() }
    waiting.cancel()
    XCTAssertEqual(journal.entries, ["second stopped"])
    begun.cancel()
    XCTAssertEqual(journal.entries, ["second stopped", "first stopped"])
  }

  func testManyWritesOfOneKeyUseNoStackAndLeaveNothing() {
    weak var weakQueue: KeyedQueue?
    let ended = onSmallStack { [a] () -> Int in
      let queue = KeyedQueue()
      let (gate, journal) = (Later<Void>(), Journal<Int>())
      _ = queue.write(a) { gate.promise }
      for number in 0..<20_000 {
        _ = queue.write(a) {
          journal.note(number)
          return Promise()
        }
      }
      gate.continuation.succeed()
      return journal.entries == Array(0..<20_000) ? journal.entries.count : -1
    }
    do {
      let queue = KeyedQueue()
      weakQueue = queue
      let gate = Later<Void>()
      _ = queue.write(a) { gate.promise }
      queue.write(a) { Promise() }.cancel()
      _ = queue.read(a) { Promise(1) }
      gate.continuation.fail(Broken.here)
    }
    XCTAssertEqual(ended, 20_000)
    XCTAssertNil(weakQueue)
  }

  func testAWriteCancelledWhileItBeginsRunsBeforeALaterOne() {
    let (begun, mayGoOn) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let landed = Lock<[Int]>([])
    let (queue, prepared) = (KeyedQueue(), Pending<Int>())
    let land: @Sendable (Int) -> Promise<Void> = { value in
      if value == 1 {
        begun.signal()
        mayGoOn.wait()
      }
      landed.withLock { $0.append(value) }
      return Promise()
    }
    let first = queue.write(0, preparing: Promise(.pending(prepared)), land)
    let hasEnded = DispatchSemaphore(value: 0)
    Thread.detachNewThread {
      prepared.settle(.success(1))
      hasEnded.signal()
    }
    begun.wait()
    first.cancel()
    _ = queue.write(0, preparing: Promise(2), land)
    mayGoOn.signal()
    hasEnded.wait()
    XCTAssertEqual(landed.withLock { $0 }, [1, 2])
  }

  func testACancelledGetThatWaitsLeavesNothingBehind() {
    let one = write("a", "one")
    let gets = (0..<3).map { read("a", "get \($0)") }
    XCTAssertEqual(queue.count.gets, 3)
    gets[1].cancel()
    XCTAssertEqual(queue.count.gets, 2, "A cancelled get should no longer wait for the write.")
    one.work.continuation.succeed()
    XCTAssertEqual(gets.map(\.text), ["get 0", "cancelled", "get 2"])
    XCTAssertEqual(journal.entries, ["one begun", "get 0 begun", "get 2 begun"])
    XCTAssertEqual(queue.count.gets, 0)
  }

  /// The promise of the value has an outcome, but is still calling its listeners.
  func testAWriteWhoseValueIsReadyBeginsImmediatelyEvenInACallbackOfTheValue() {
    let (queue, journal) = (KeyedQueue(), Journal<String>())
    let prepared = Pending<Int>()
    let value = Promise<Int>(.pending(prepared))
    value.observed { _ in
      let write = queue.write(0, preparing: value) { value in
        journal.note("write \(value)")
        return Promise()
      }
      journal.note(write.text)
    }
    prepared.settle(.success(1))
    XCTAssertEqual(journal.entries, ["write 1", "()"])
    XCTAssertTrue(queue.isQuiet)
  }

  func testACancelledWriteThatWaitsReleasesItsWorkImmediately() {
    let one = write("a", "one")
    weak var held: Held?
    let end: Promise<Void>
    do {
      let value = Held()
      held = value
      end = queue.write(a) { withExtendedLifetime(value) { Promise() } }
    }
    XCTAssertNotNil(held)
    end.cancel()
    XCTAssertNil(held)
    one.work.continuation.succeed()
    XCTAssertTrue(queue.isQuiet)
    XCTAssertEqual(queue.count.writes, 0)
  }
}
