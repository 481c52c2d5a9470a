import XCTest

@testable import StrataCore
@testable import StrataVerbs

final class PendingTests: XCTestCase {
  func testWithdrawingTwiceTakesOneInterest() {
    let work = Later<Int>()
    let one = work.promise.map { $0 }
    let other = work.promise.map { $0 }
    one.cancel()
    one.cancel()
    XCTAssertEqual(other.text, "pending")
    XCTAssertEqual(work.promise.interests, 1)
  }

  func testItSettlesOnceAndDeliversInTheOrderOfListening() {
    let (pending, journal) = (Pending<Int>(), Journal<String>())
    for place in 0..<3 {
      _ = pending.listen(isInterest: false) { journal.note("\(place) \($0.text)") }
    }
    XCTAssertTrue(pending.settle(.success(1)))
    XCTAssertFalse(pending.settle(.success(2)))
    XCTAssertEqual(journal.entries, ["0 1", "1 1", "2 1"])
  }

  func testAThreadThatMustRunNoCodeOfTheProgramLeavesListenersForLater() {
    let (pending, journal) = (Pending<Int>(), Journal<String>())
    let later = Lock<[@Sendable () -> Void]>([])
    _ = pending.listen(isInterest: true) { journal.note($0.text) }
    XCTAssertTrue(pending.settle(.success(1)) { work in later.withLock { $0.append(work) } })
    XCTAssertFalse(pending.settle(.success(2)) { _ in XCTFail("It has settled.") })
    XCTAssertEqual(pending.outcome?.text, "1")
    XCTAssertEqual(journal.entries, [])
    for work in later.withLock({ $0 }) { work() }
    XCTAssertEqual(journal.entries, ["1"])
  }

  func testATaskThatWaitsAloneResumesOnThatThread() async throws {
    let pending = Pending<Int>()
    let task = Task { try await Promise(.pending(pending)).value }
    while Promise(.pending(pending)).interests == 0 { await Task.yield() }
    XCTAssertTrue(pending.settle(.success(1)) { _ in XCTFail("A task is no code of the program.") })
    let value = try await task.value
    XCTAssertEqual(value, 1)
  }

  func testACountedOperationEndsBeforeListenersHearButAfterItsCancelHandler() {
    let journal = Journal<String>()
    for isCancelled in [false, true] {
      let pending = Pending<Int>()
      pending.onCancel { journal.note("stop") }
      pending.count(OperationEnd(Witness(journal), 7))
      _ = pending.listen(isInterest: false) { journal.note($0.text) }
      pending.settle(isCancelled ? .cancelled : .success(1))
      pending.count(OperationEnd(Witness(journal), 8))
    }
    XCTAssertEqual(journal.entries, ["end 7", "1", "end 8", "stop", "end 7", "cancelled", "end 8"])
  }

  private final class Witness: OperationCounter {
    let journal: Journal<String>

    init(_ journal: Journal<String>) { self.journal = journal }

    func end(_ number: Int, later: RunLater?) { journal.note("end \(number)") }
  }

  func testAListenerAddedDuringTheDeliveryIsCalledAfterEarlierOnes() {
    let (pending, journal) = (Pending<Int>(), Journal<String>())
    _ = pending.listen(isInterest: false) { _ in
      journal.note("first")
      _ = pending.listen(isInterest: false) { _ in journal.note("late") }
    }
    _ = pending.listen(isInterest: false) { _ in journal.note("second") }
    pending.settle(.success(1))
    XCTAssertEqual(journal.entries, ["first", "second", "late"])
  }

  func testALaterStepReplacesTheCancelHandlerOfAnEarlierOne() {
    let steps: [WorkStep] = [.first, .attempt(1), .pause(after: 1), .attempt(2), .last]
    for (place, earlier) in steps.enumerated() {
      XCTAssertFalse(earlier < earlier)
      for later in steps[(place + 1)...] {
        for inOrder in [true, false] {
          let (pending, journal) = (Pending<Int>(), Journal<String>())
          for step in inOrder ? [earlier, later] : [later, earlier] {
            pending.onCancel(at: step) { journal.note("\(step)") }
          }
          pending.settle(.cancelled)
          XCTAssertEqual(journal.entries, ["\(later)"])
          pending.onCancel { journal.note("too late") }
          XCTAssertEqual(journal.entries, ["\(later)", "too late"])
        }
      }
    }
  }

  func testEachOfManyListenersCanWithdraw() {
    let (pending, journal) = (Pending<Int>(), Journal<Int>())
    let ids = (0..<100).map { place in
      pending.listen(isInterest: true) { _ in journal.note(place) }.id
    }
    for place in stride(from: 1, to: 100, by: 2) { XCTAssertTrue(pending.withdraw(ids[place])) }
    for place in stride(from: 1, to: 100, by: 2) { XCTAssertFalse(pending.withdraw(ids[place])) }
    XCTAssertEqual(pending.promise.interests, 50)
    pending.settle(.success(0))
    XCTAssertEqual(journal.entries, Array(stride(from: 0, to: 100, by: 2)))
  }
}
