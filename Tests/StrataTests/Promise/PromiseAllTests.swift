import XCTest

@testable import StrataCore
@testable import StrataVerbs

final class PromiseAllTests: XCTestCase {
  func testAnEmptySequenceIsSynchronous() {
    let none: [Promise<Int>] = []
    XCTAssertEqual(Promise.all(none).text, "[]")
  }

  func testResultsAreInTheOrderOfTheInput() {
    let works = (0..<5).map { _ in Later<Int>() }
    let all = Promise.all(works.map(\.promise))
    for place in [3, 0, 4, 2, 1] { works[place].continuation.succeed(place) }
    XCTAssertEqual(all.text, "[0, 1, 2, 3, 4]")
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
}
