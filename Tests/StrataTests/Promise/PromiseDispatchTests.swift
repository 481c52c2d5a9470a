import Dispatch
import XCTest

@testable import StrataCore
@testable import StrataVerbs

final class PromiseDispatchTests: XCTestCase {
  private let key = DispatchSpecificKey<String>()

  private func queue() -> DispatchQueue {
    let queue = DispatchQueue(label: "callbacks")
    queue.setSpecific(key: key, value: "callbacks")
    return queue
  }

  func testCallbacksMoveToTheQueue() throws {
    let (journal, queue, key) = (Journal<String?>(), queue(), key)
    for end in [Promise<Int>.Outcome.success(1), .failure(Broken.here), .cancelled] {
      let work = Later<Int>()
      queue.suspend()
      let moved = work.promise.dispatched(on: queue)
      moved.observed { _ in journal.note(DispatchQueue.getSpecific(key: key)) }
      work.continuation.settle(end)
      XCTAssertEqual(moved.text, "pending")
      queue.resume()
      queue.sync {}
      XCTAssertEqual(moved.text, end.text)
    }
    XCTAssertEqual(journal.entries, ["callbacks", "callbacks", "callbacks"])
  }

  func testACallbackOfASettledPromiseMovesToo() throws {
    let (queue, key) = (queue(), key)
    let name = try Promise(1).dispatched(on: queue)
      .map { _ in DispatchQueue.getSpecific(key: key) }.wait(for: .seconds(60))
    // If the promise settles before `map` is called, the callback runs on the caller's thread.
    XCTAssertTrue(name == "callbacks" || name == nil)
  }

  func testACancellationReachesTheWork() {
    let journal = Journal<String>()
    let work = Later<Int>("work", in: journal)
    work.promise.dispatched(on: queue()).cancel()
    XCTAssertEqual(journal.entries, ["work stopped"])
  }
}
