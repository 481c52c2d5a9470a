import StrataLaws
import XCTest

@testable import StrataCore
@testable import StrataVerbs

final class SumReadTests: XCTestCase {
  private struct Failure: Error {}

  func testAWriteDuringAReloadWins() {
    let load = Pending<Int>()
    let (upper, lower) = (Cache<Int, Int>.dictionary(), Cache<Int, Int>.dictionary())
    let cache = upper + lower + Cache { _ in load.promise }
    let reload = cache.reloading.get(1)
    _ = cache.set(1, 5)
    load.settle(.success(4))
    XCTAssertEqual(reload.answer, "4")
    XCTAssertEqual([upper, lower].map { $0.get(1).answer }, ["5", "5"])
  }

  func testAGetDuringAReloadDoesNotBringTheOldValueBack() {
    let load = Pending<Int>()
    let (upper, lower) = (Cache<Int, Int>.dictionary(), Cache<Int, Int>.dictionary([1: 0]))
    let cache = upper + lower + Cache { _ in load.promise }
    let reload = cache.reloading.get(1)
    XCTAssertEqual(cache.get(1).answer, "0")  // It would be back-filled into the upper level.
    load.settle(.success(4))
    XCTAssertEqual(reload.answer, "4")
    XCTAssertEqual([upper, lower].map { $0.get(1).answer }, ["4", "4"])
    XCTAssertEqual(cache.stored.get(1).answer, "4")
  }

  func testAFailedOrCancelledReloadLeavesNothingBehind() {
    let load = Pending<Int>()
    let upper = Cache<Int, Int>.dictionary()
    let cache =
      upper + .dictionary([1: 7]) + Cache { $0 == 0 ? Promise(error: Failure()) : load.promise }
    _ = cache.reloading.get(0)
    let reload = cache.reloading.get(1)
    reload.cancel()
    XCTAssertEqual(cache.get(1).answer, "7")
    XCTAssertEqual(upper.get(1).answer, "7")
  }

  func testAReloadJoinsNothing() {
    let loads = Lock<[Pending<Int>]>([])
    let origin = Cache<Int, Int> { _ in
      let load = Pending<Int>()
      loads.withLock { $0.append(load) }
      return load.promise
    }
    let cache = Cache.dictionary() + origin.pooled()
    let (old, new, other) = (cache.get(1), cache.reloading.get(1), cache.reloading.get(1))
    let late = cache.get(1)  // Joins the newest one.
    let begun = loads.withLock { $0 }
    XCTAssertEqual(begun.count, 3)
    for (index, load) in begun.enumerated().reversed() { load.settle(.success(index)) }
    XCTAssertEqual([old, new, other, late].map(\.answer), ["0", "1", "2", "2"])
    XCTAssertEqual(cache.stored.get(1).answer, "2")
  }
}
