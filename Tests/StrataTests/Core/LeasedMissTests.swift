import StrataLaws
import XCTest

@testable import Strata

final class LeasedMissTests: XCTestCase {
  /// A level that needs a lease for each back-fill, and whose gets have a given result.
  private func leasing(
    _ level: ScriptedLevel, _ get: @escaping @Sendable (Int) -> any Error
  ) -> Cache<Int, Int> {
    level.cache.leasing { cache, lease in
      var operations = cache.operations
      if lease == nil { operations.get = { Promise(error: get($0)) } }
      return operations
    }
  }

  func testAMissOfABranchWithoutLeasesIsBackFilled() {
    let (first, second) = (ScriptedLevel(0, LevelScript()), ScriptedLevel(1, LevelScript()))
    let leased = leasing(first) { LeasedMiss(lease: "lease \($0)") }
    let sum =
      Cache.switching(leased, second.cache) { $0 == 0 ? .first : .second } + Fetcher { $0 + 40 }
    XCTAssertEqual([sum.get(0).answer, sum.get(1).answer], ["40", "41"])
    XCTAssertEqual(first.events, ["set 0 40"])
    XCTAssertEqual(second.events, ["get 1", "set 1 41"])
  }

  func testABranchThatNeedsALeaseIsNotBackFilledWithoutOne() {
    let (first, second) = (ScriptedLevel(0, LevelScript()), ScriptedLevel(1, LevelScript()))
    let failing = leasing(first) { _ in Broken.here }
    let sum =
      Cache.switching(second.cache, failing) { $0 == 0 ? .first : .second } + Fetcher { $0 + 40 }
    XCTAssertEqual([sum.get(0).answer, sum.get(1).answer], ["40", "41"])
    XCTAssertEqual(first.events, [])
    XCTAssertEqual(second.events, ["get 0", "set 0 40"])
  }

  func testANestedSumIsBackFilledWhileItsLeasingLevelFails() {
    let (first, second) = (ScriptedLevel(0, LevelScript()), ScriptedLevel(1, LevelScript()))
    let failing = leasing(second) { _ in Broken.here }
    let sum = (first.cache + failing).named("storage") + Fetcher { $0 + 40 }
    XCTAssertEqual([sum.get(0).answer, sum.get(1).answer], ["40", "41"])
    XCTAssertEqual(first.events, ["get 0", "set 0 40", "get 1", "set 1 41"])
    XCTAssertEqual(second.events, [])
  }
}
