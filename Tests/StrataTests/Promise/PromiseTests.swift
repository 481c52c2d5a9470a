import XCTest

@testable import StrataCore
@testable import StrataVerbs

final class PromiseTests: XCTestCase {
  func testAnOptionalIsUnwrappedOrFailsWithTheGivenError() {
    XCTAssertEqual(Promise(7 as Int?, or: Broken.here).text, "7")
    XCTAssertEqual(Promise(nil as Int?, or: Broken.here).text, "failed: here")
    XCTAssertEqual(Promise<Int?>(nil).text, "nil")
    XCTAssertEqual(Promise<Void>().text, "()")
  }

  func testWorkBeginsOnceAndBeforeAnyListener() {
    let journal = Journal<String>()
    let promise = Promise<Int> { (continuation: Promise<Int>.Continuation) in
      journal.note("begun")
      continuation.succeed(1)
    }
    promise.onSuccess { journal.note("first \($0)") }
    promise.onSuccess { journal.note("second \($0)") }
    XCTAssertEqual(journal.entries, ["begun", "first 1", "second 1"])
  }

  func testCancellingSettlesForEveryHolder() {
    let journal = Journal<String>()
    let work = Later<Int>("work", in: journal)
    let copy = work.promise
    let derived = copy.map { $0 + 1 }
    copy.onSuccess { _ in journal.note("kept") }
    journal.follow(derived, as: "derived")
    work.promise.cancel()
    work.promise.cancel()
    XCTAssertEqual(journal.entries, ["work stopped", "derived cancelled"])
    XCTAssertEqual([copy.text, derived.text], ["cancelled", "cancelled"])
    XCTAssertFalse(work.continuation.succeed(1))
  }

  func testReleasingAPromiseWithdrawsNothing() {
    let journal = Journal<String>()
    let work = Later<Int>("work", in: journal)
    do { _ = work.promise.map { journal.note("mapped \($0)") } }
    work.continuation.succeed(1)
    XCTAssertEqual(journal.entries, ["mapped 1"])
  }
}
