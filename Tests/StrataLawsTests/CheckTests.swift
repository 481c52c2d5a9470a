import Strata
import StrataLaws
import XCTest

/// Tests that several laws can be checked in parallel, in tasks, and with slow levels.
final class CheckTests: XCTestCase {
  /// The laws of a correct level with async functions. Async functions need separate threads.
  private static let level = Laws.level {
    let held = Box<[Int: Int]>([:])
    return Cache<Int, Int>(
      get: { key async throws in try found(held.value[key]) },
      set: { key, value async throws in
        await Task.yield()
        held.update { $0[key] = value }
      },
      remove: { key async throws in held.update { $0[key] = nil } },
      clear: { () async throws in held.value = [:] })
  }

  func testManyChecksOfACorrectAsyncLevelRunInParallel() async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
      // The law about thousands of keys takes as long as all others together.
      let small = Laws(Self.level.name, Self.level.laws.filter { $0.name != "level.size" })
      for seed in 0..<20 as Range<UInt64> {
        let laws = seed == 0 ? Self.level : small
        group.addTask { try await Laws.check(laws, seed: seed, cases: 2) }
      }
      try await group.waitForAll()
    }
  }

  func testABlockingCheckInATaskFailsImmediately() async {
    let text = Self.blockingCheck(Self.level)
    XCTAssertEqual(text?.contains("try await Laws.check"), true, text ?? "no error")
    XCTAssertNil(Self.blockingCheck(.constants))
  }

  private static func blockingCheck(_ laws: Laws) -> String? {
    do {
      try Laws.check(laws, cases: 1)
      return nil
    } catch { return "\(error)" }
  }

  func testACancelledCheckEnds() async {
    let error = await Self.cancelledCheck()
    XCTAssertTrue(error is CancellationError, "\(error as Any)")
  }

  private static func cancelledCheck() async -> (any Error)? {
    await withTaskGroup(of: (any Error)?.self) { group in
      group.addTask {
        do {
          try await Laws.check(level, cases: .max)
          return nil
        } catch { return error }
      }
      group.cancelAll()
      return await group.next() ?? nil
    }
  }

  func testAViolationReachesTheCallerOfAnAsyncCheck() async {
    do {
      try await Laws.check(.level { Cache<Int, Int>.empty })
      XCTFail("no violation")
    } catch { XCTAssertEqual((error as? LawViolation)?.law.name, "level.keeping") }
  }

  func testAnAsyncVerbMayBeTransparent() throws {
    let laws = Laws.transparent("delegating") { cache in
      cache.transformingGet("delegating") { get in
        { key in Promise { try await get(key).value } }
      }
    }
    // Such a law waits for tasks after each step, so several cases run at the same time.
    try Laws.check(laws, atOnce: 5, cases: 5)
    let faulty = Laws.transparent("delegating") { cache in
      cache.transformingGet("delegating") { get in
        { key in
          Promise {
            let value = try await get(key).value
            return value == 3 ? 4 : value
          }
        }
      }
    }
    XCTAssertThrowsError(try Laws.check(faulty, atOnce: 4, cases: 40))
  }

  func testALawInVirtualTimeExplainsThatTasksDoNotRun() {
    let laws = Laws.pool { cache in
      cache.transformingGet("later") { get in { key in Promise { try await get(key).value } } }
    }
    let violation = laws.violation(cases: 20)
    XCTAssertEqual(violation?.description.contains("Laws.transparent"), true)
  }
}
