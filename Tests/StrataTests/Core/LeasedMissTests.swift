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

  func testABackFillWithoutALeaseReportsNoEvent() {
    let (level, recorder) = (ScriptedLevel(0, LevelScript()), Journal<String>())
    let failing = leasing(level) { _ in Broken.here }
    let plain = ScriptedLevel(1, LevelScript())
    let sum = Cache.switching(plain.cache, failing) { $0 == 0 ? .first : .second }
    let cache = (sum + Fetcher { $0 + 40 }).observed { event in
      if event.operation == .backFill { recorder.note("\(event.key ?? "")") }
    }
    XCTAssertEqual([cache.get(0).answer, cache.get(1).answer], ["40", "41"])
    XCTAssertEqual(recorder.entries, ["0"])
  }

  func testABackFillWithoutALeaseIsNoFailureOfItsStage() {
    let (level, stages) = (ScriptedLevel(0, LevelScript()), Journal<String>())
    let failing = leasing(level) { _ in Broken.here }
    let plain = ScriptedLevel(1, LevelScript())
    let branches = Cache.switching(plain.cache, failing) { $0 == 0 ? .first : .second }
    let cache = (branches.named("branches") + Fetcher { $0 + 40 }).observed { event in
      if event.operation != .get { stages.note("\(event)") }
    }
    XCTAssertEqual(cache.get(1).answer, "41")
    XCTAssertEqual(stages.entries, [])
  }

  func testABackFillWithoutALeaseDoesNotOpenACircuit() {
    let (level, plain) = (ScriptedLevel(0, LevelScript()), ScriptedLevel(1, LevelScript()))
    let failing = leasing(level) { _ in Broken.here }
    let branches = Cache.switching(plain.cache, failing) { $0 == 0 ? .first : .second }
    let guarded = branches.breakingCircuit(after: .failures(2), retryAfter: .seconds(60))
    let cache = guarded + Fetcher { $0 + 40 }
    XCTAssertEqual([cache.get(1).answer, cache.get(0).answer], ["41", "40"])
    XCTAssertEqual(plain.events, ["get 0", "set 0 40"])
  }

  /// The upper level of the nested sum is back-filled without a lease. This back-fill must not end
  /// the removal that the lower level still needs.
  func testABackFillWithoutALeaseKeepsANecessaryRemoval() {
    let stored = Lock<[Int: Int]>([:])
    let late = Lock<(@Sendable () -> Void)?>(nil)
    let upper = Cache<Int, Int>.dictionary()
    let lower = Cache<Int, Int>(
      get: { key in stored.withLock { $0[key] }.map { Promise($0) } ?? .miss },
      set: { key, value in
        Promise { continuation in
          let store = { @Sendable in
            stored.withLock { $0[key] = value }
            continuation.succeed(())
          }
          late.withLock { $0 = store }
        }
      },
      remove: { _ in Promise(error: Broken.here) },
      clear: {
        stored.withLock { $0 = [:] }
        return Promise(())
      },
      memoryWarning: {})
    let leased = lower.leasing { cache, lease in
      var operations = cache.operations
      if lease == nil {
        operations.get = { key in
          cache.get(key).recover { _ -> Promise<Int> in Promise(error: LeasedMiss(lease: key)) }
        }
      }
      return operations
    }
    let cache = (upper + leased).named("storage") + Fetcher { $0 + 40 }
    let write = cache.set(1, for: 0)
    XCTAssertEqual(cache.clear().answer, "()")
    late.withLock { $0 }?()
    XCTAssertNotNil(write.outcome)
    XCTAssertEqual(stored.withLock { $0 }, [0: 1])
    XCTAssertEqual(cache.get(0).answer, "40")
    XCTAssertEqual(upper.get(0).answer, "40")
    XCTAssertNotNil(upper.remove(0).outcome?.value)
    XCTAssertEqual(cache.get(0).answer, "40")
  }
}
