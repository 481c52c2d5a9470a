import Strata
import StrataMigration
import XCTest

final class SequenceMergeTests: XCTestCase {
  func testAnEmptySequenceIsSynchronous() {
    let none: [Promise<Int>] = []
    XCTAssertEqual(none.mergeAll().text, "[]")
    XCTAssertEqual(none.mergeSome().text, "[]")
    XCTAssertEqual(none.reduce(7, combine: +).text, "7")
  }

  func testResultsAreInTheOrderOfTheInput() {
    let works = (0..<5).map { _ in Later<Int>() }
    let promises = works.map(\.promise)
    let texts = promises.reduce("", combine: { "\($0)\($1)" })
    let (all, some) = (promises.mergeAll(), promises.mergeSome())
    for place in [3, 0, 4, 2, 1] { works[place].continuation.succeed(place) }
    XCTAssertEqual([all.text, some.text], ["[0, 1, 2, 3, 4]", "[0, 1, 2, 3, 4]"])
    XCTAssertEqual(texts.text, "01234")
  }

  func testMergeSomeOmitsFailuresAndCancellations() {
    let works = (0..<4).map { _ in Later<Int?>() }
    let some = works.map(\.promise).mergeSome()
    works[3].continuation.succeed(nil)
    works[0].continuation.fail(Broken.here)
    works[1].continuation.cancel()
    XCTAssertEqual(some.text, "pending")
    works[2].continuation.succeed(2)
    XCTAssertEqual(some.text, "[Optional(2), nil]")
  }

  func testReduceFailsWithTheErrorOfItsFunction() {
    let promise = [Promise(1), Promise(2)].reduce(
      0,
      combine: { sum, value -> Int in
        if value == 2 { throw Broken.there }
        return sum + value
      })
    XCTAssertEqual(promise.text, "failed: there")
  }
}
