import XCTest

@testable import StrataCore
@testable import StrataVerbs

final class PromiseListenTests: XCTestCase {
  func testEachListenerReceivesOnlyItsKindOfOutcome() {  // T56
    for (end, heard) in [
      (Promise<Int>.Outcome.success(1), ["kept 1", "end 1", "seen 1"]),
      (.failure(Broken.here), ["failed here", "end failed: here", "seen failed: here"]),
      (.cancelled, ["cancelled", "end cancelled", "seen cancelled"]),
    ] {
      let early = Journal<String>()
      let late = Journal<String>()
      let work = Later<Int>()
      listenAll(work.promise, early)
      work.continuation.settle(end)
      listenAll(work.promise, late)
      XCTAssertEqual(early.entries, heard)
      XCTAssertEqual(late.entries, heard, "A late listener should be called immediately.")
      listenAll(Promise(outcome: end), late)
      XCTAssertEqual(
        late.entries, heard + heard, "A ready promise should call its listener immediately.")
    }
  }

  private func listenAll(_ promise: Promise<Int>, _ journal: Journal<String>) {
    promise
      .onSuccess { journal.note("kept \($0)") }
      .onFailure { journal.note("failed \($0)") }
      .onCancel { journal.note("cancelled") }
      .onCompletion { journal.note("end \($0.text)") }
      .observed { journal.note("seen \($0.text)") }
  }

  func testCallbacksRunInTheOrderOfRegistration() {
    let journal = Journal<Int>()
    let work = Later<Int>()
    for place in 0..<100 {
      if place % 2 == 0 {
        work.promise.onSuccess { _ in journal.note(place) }
      } else {
        work.promise.observed { _ in journal.note(place) }
      }
    }
    work.continuation.succeed(1)
    XCTAssertEqual(journal.entries, Array(0..<100))
  }

  func testACallbackRegisteredInACallbackRunsAfterThoseBeforeIt() {
    let journal = Journal<String>()
    let work = Later<Int>()
    let promise = work.promise
    promise.onSuccess { _ in
      journal.note("first begins")
      promise.onSuccess { _ in
        journal.note("third")
        promise.onSuccess { _ in journal.note("fourth") }
      }
      journal.note("first ends")
    }
    promise.onSuccess { _ in journal.note("second") }
    work.continuation.succeed(1)
    promise.onSuccess { _ in journal.note("fifth") }
    XCTAssertEqual(
      journal.entries, ["first begins", "first ends", "second", "third", "fourth", "fifth"])
  }

  func testCallbacksStartedByACallbackRunAfterItReturns() {
    let journal = Journal<String>()
    let work = Later<Int>()
    let other = Later<Int>()
    other.promise.onSuccess { _ in journal.note("other") }
    work.promise.onSuccess { _ in
      journal.note("begins")
      other.continuation.succeed(1)
      journal.note("ends")
    }
    work.promise.onSuccess { _ in journal.note("next") }
    work.continuation.succeed(1)
    XCTAssertEqual(journal.entries, ["begins", "ends", "next", "other"])
  }

  func testACallbackAddedFromAnotherThreadDuringDeliveryKeepsTheOrder() {
    let journal = Journal<String>()
    let work = Later<Int>()
    work.promise.onSuccess { _ in
      let registered = DispatchSemaphore(value: 0)
      Thread.detachNewThread {
        work.promise.onSuccess { _ in journal.note("third") }
        registered.signal()
      }
      registered.wait()
      journal.note("first")
    }
    work.promise.onSuccess { _ in journal.note("second") }
    work.continuation.succeed(1)
    XCTAssertEqual(journal.entries, ["first", "second", "third"])
  }

  func testCallbacksRunOnTheThreadThatSettles() {
    let journal = Journal<ObjectIdentifier>()
    let work = Later<Int>()
    work.promise.onSuccess { _ in journal.note(ObjectIdentifier(Thread.current)) }
    let done = DispatchSemaphore(value: 0)
    let thread = Thread {
      work.continuation.succeed(1)
      done.signal()
    }
    thread.start()
    done.wait()
    XCTAssertEqual(journal.entries, [ObjectIdentifier(thread)])
  }

  func testOnSuccessAndOnCompletionKeepTheWorkGoing() {
    for listen in [
      { (promise: Promise<Int>) in _ = promise.onSuccess { _ in } },
      { (promise: Promise<Int>) in _ = promise.onCompletion { _ in } },
    ] {
      let work = Later<Int>()
      listen(work.promise)
      work.promise.map { $0 }.cancel()
      XCTAssertEqual(work.promise.text, "pending")
    }
  }

  func testOnFailureOnCancelAndObservedOnlyWatch() {
    let journal = Journal<String>()
    let work = Later<Int>("work", in: journal)
    work.promise.onFailure { _ in }.onCancel { journal.note("heard") }.observed { _ in }
    work.promise.map { $0 }.cancel()
    XCTAssertEqual(journal.entries, ["work stopped", "heard"])
  }

  func testListenersAreReleasedAfterEachEnd() {
    final class Token: Sendable {}
    for end in [Promise<Int>.Outcome.success(1), .failure(Broken.here), .cancelled] {
      weak var weakToken: Token?
      let work = Later<Int>()
      do {
        let token = Token()
        weakToken = token
        work.promise.onSuccess { _ in withExtendedLifetime(token) {} }
          .onFailure { _ in withExtendedLifetime(token) {} }
          .onCancel { withExtendedLifetime(token) {} }
      }
      XCTAssertNotNil(weakToken)
      work.continuation.settle(end)
      work.promise.onFailure { _ in }.onCancel {}
      XCTAssertNil(weakToken, end.text)
    }
  }
}
