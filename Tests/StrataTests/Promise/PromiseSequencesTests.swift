import XCTest

@testable import Strata

final class PromiseSequencesTests: XCTestCase {
  func testAnEmptySequenceIsSynchronous() {
    let none: [Promise<Int>] = []
    XCTAssertEqual(Promise.all(none).text, "[]")
    XCTAssertEqual(Promise.some(none).text, "[]")
    XCTAssertEqual(Promise.first(none).outcome?.error as? CacheError, .notFound)
    XCTAssertEqual(Promise.traverse([Int]()) { Promise($0) }.text, "[]")
    XCTAssertEqual(Promise.reduce(none, 7) { $0 + $1 }.text, "7")
  }

  func testResultsAreInTheOrderOfTheInput() {
    let works = (0..<5).map { _ in Later<Int>() }
    let promises = works.map(\.promise)
    let texts = Promise.reduce(promises, "") { "\($0)\($1)" }
    let (all, some) = (Promise.all(promises), Promise.some(promises))
    for place in [3, 0, 4, 2, 1] { works[place].continuation.succeed(place) }
    XCTAssertEqual(all.text, "[0, 1, 2, 3, 4]")
    XCTAssertEqual(some.text, "[0, 1, 2, 3, 4]")
    XCTAssertEqual(texts.text, "01234")
  }

  func testAllEndsWithTheFirstFailureAndCancelsTheRest() {
    for end in [Promise<Int>.Outcome.failure(Broken.here), .cancelled] {
      let journal = Journal<String>()
      let works = (0..<4).map { Later<Int>("\($0)", in: journal) }
      let all = Promise.all(works.map(\.promise))
      works[0].continuation.succeed(1)
      journal.follow(all, as: "all")
      works[2].continuation.settle(end)
      works[1].continuation.fail(Broken.there)
      XCTAssertEqual(all.text, end.text)
      let stopped = journal.entries.filter { $0.hasSuffix("stopped") && $0 != "2 stopped" }
      XCTAssertEqual(stopped, ["1 stopped", "3 stopped"])
    }
  }

  func testAllCancelsTheRestEvenIfTheFailureCameFirst() {
    let journal = Journal<String>()
    let works = (0..<2).map { Later<Int>("\($0)", in: journal) }
    let all = Promise.all([works[0].promise, Promise(error: Broken.here), works[1].promise])
    XCTAssertEqual(all.text, "failed: here")
    XCTAssertEqual(journal.entries, ["0 stopped", "1 stopped"])
    withExtendedLifetime(works) {}  // A released continuation would settle its promise.
  }

  func testSomeOmitsFailuresAndCancellations() {
    let works = (0..<4).map { _ in Later<Int?>() }
    let some = Promise.some(works.map(\.promise))
    works[3].continuation.succeed(nil)
    works[0].continuation.fail(Broken.here)
    works[1].continuation.cancel()
    XCTAssertEqual(some.text, "pending")
    works[2].continuation.succeed(2)
    XCTAssertEqual(some.text, "[Optional(2), nil]")
  }

  func testTheFirstOutcomeEndsFirstAndCancelsTheRest() {  // T57
    for end in [Promise<Int>.Outcome.success(1), .failure(Broken.here), .cancelled] {
      for isSettledBefore in [false, true] {
        let journal = Journal<String>()
        let works = (0..<3).map { Later<Int>("\($0)", in: journal) }
        if isSettledBefore { works[1].continuation.settle(end) }
        let first = Promise.first(works.map(\.promise))
        works[1].continuation.settle(end)
        XCTAssertEqual(first.text, end.text)
        let stopped = journal.entries.filter { $0 != "1 stopped" }
        XCTAssertEqual(stopped, ["0 stopped", "2 stopped"])
        withExtendedLifetime(works) {}  // A released continuation would settle its promise.
      }
    }
  }

  func testTraverseStartsAllConcurrentlyAndStartsNoMoreAfterAFailure() {
    let journal = Journal<String>()
    let works = (0..<3).map { Later<Int>("\($0)", in: journal) }
    let whole = Promise.traverse(0..<5) { place -> Promise<Int> in
      journal.note("start \(place)")
      if place == 3 { throw Broken.here }
      return works[place].promise
    }
    XCTAssertEqual(whole.text, "failed: here")
    XCTAssertEqual(
      journal.entries,
      ["start 0", "start 1", "start 2", "start 3", "0 stopped", "1 stopped", "2 stopped"])
  }

  func testReduceFailsWithTheErrorOfItsFunction() {
    let promise = Promise.reduce([Promise(1), Promise(2)], 0) { sum, value -> Int in
      if value == 2 { throw Broken.there }
      return sum + value
    }
    XCTAssertEqual(promise.text, "failed: there")
  }
}
