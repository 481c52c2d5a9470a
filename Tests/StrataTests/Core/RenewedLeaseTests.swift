import StrataLaws
import XCTest

@testable import Strata

/// Tests the leases for values that a level returns and a verb or a codec above it rejects.
final class RenewedLeaseTests: XCTestCase {
  private struct LevelIsDown: StorageFailure {}

  private let journal = Journal<String>()

  /// A level that returns the value 1 for each key, and needs a lease for each back-fill.
  ///
  /// - Parameter renewed: The result of a get that asks for a lease.
  private func level(
    _ get: @escaping @Sendable () -> Promise<Int> = { Promise(1) },
    renewed: @escaping @Sendable () -> Promise<Int> = {
      Promise(error: LeasedMiss(lease: "lease"))
    }
  ) -> Cache<Int, Int> {
    let journal = journal
    let plain = Cache<Int, Int>(
      get: { _ in get() },
      set: { key, value in
        journal.note("set \(key) \(value)")
        return Promise()
      }, remove: { _ in Promise() }, clear: { Promise() }, memoryWarning: {})
    return plain.leasing { cache, use in
      var operations = cache.operations
      switch use {
      case .reading:
        operations.get = { key in
          journal.note("get \(key)")
          return get()
        }
      case .renewing:
        operations.get = { key in
          journal.note("renew \(key)")
          return renewed()
        }
      case .backFilling(let lease):
        operations.set = { key, value in
          journal.note("fill \(key) \(value) with \(lease ?? "none")")
          return Promise()
        }
      }
      return operations
    }
  }

  /// A codec that rejects the value 1.
  private func rejecting(_ level: Cache<Int, Int>) -> Cache<Int, Int> {
    level.transformingGet("rejecting") { get in { key in get(key).filter { $0 != 1 } } }
  }

  private let origin = Fetcher<Int, Int> { $0 + 40 }

  func testARejectedValueIsReplaced() {
    XCTAssertEqual((rejecting(level()) + origin).get(2).answer, "42")
    XCTAssertEqual(journal.entries, ["get 2", "renew 2", "fill 2 42 with lease"])
  }

  func testAnAcceptedValueNeedsNoLease() {
    XCTAssertEqual((level() + origin).get(2).answer, "1")
    XCTAssertEqual(journal.entries, ["get 2"])
  }

  func testAValueThatACodecRejectsIsReplaced() {
    let codec = Codec<Int, Int>(
      decode: { _ in throw CacheError.undecodable(by: "test", reason: "none") }, encode: { $0 })
    XCTAssertEqual((level() <*> codec + origin).get(2).answer, "42")
    XCTAssertEqual(journal.entries, ["get 2", "renew 2", "fill 2 42 with lease"])
  }

  func testANewerValueIsReturned() {
    let renewed = level(renewed: { Promise(7) })
    XCTAssertEqual((rejecting(renewed) + origin).get(2).answer, "7")
    XCTAssertEqual(journal.entries, ["get 2", "renew 2"])
  }

  func testANewerValueThatIsRejectedTooIsNotReplaced() {
    let renewed = level(renewed: { Promise(1) })
    XCTAssertEqual((rejecting(renewed) + origin).get(2).answer, "42")
    XCTAssertEqual(journal.entries, ["get 2", "renew 2"])
  }

  func testALevelThatFailsIsNotAskedForALease() {
    for error: any Error in [LevelIsDown(), CacheError.timedOut()] {
      let failing = level({ Promise(error: error) })
      XCTAssertEqual((failing + origin).get(2).answer, "42")
    }
    XCTAssertEqual(journal.entries, ["get 2", "get 2"])
  }

  func testTheLowestLevelIsNotAskedForALease() {
    let sum = Cache<Int, Int>.dictionary() + rejecting(level())
    XCTAssertTrue(sum.get(2).outcome?.error?.isMiss == true)
    XCTAssertEqual(journal.entries, ["get 2"])
  }

  func testTheErrorOfARejectedValueIsReported() {
    let codec = Codec<Int, Int>(
      decode: { _ in throw CacheError.undecodable(by: "test", reason: "none") }, encode: { $0 })
    let missing = Fetcher<Int, Int> { _ in throw CacheError.notFound }
    XCTAssertThrowsError(try (level() <*> codec + missing).get(2).wait()) {
      XCTAssertEqual($0 as? CacheError, .undecodable(by: "test", reason: "none"))
    }
  }

  func testAGetWaitsAtMostFiveSecondsForALease() {
    let (time, clock) = TimeSource.manual()
    let held = Lock<[Promise<Int>.Continuation]>([])
    let hanging = level(renewed: {
      Promise { continuation in held.withLock { $0.append(continuation) } }
    })
    let sum = rejecting(hanging).clocked(by: time) + origin
    let get = sum.get(2)
    clock.advance(by: .seconds(6))
    XCTAssertEqual(get.answer, "42")
    XCTAssertEqual(journal.entries, ["get 2", "renew 2"])
    withExtendedLifetime(held) {}
  }

  func testObserversReceiveOneGet() {
    let events = Journal<String>()
    let cache = (rejecting(level().named("near")) + origin.named("origin")).observed { event in
      if event.operation == .get, event.stage.count < 10 { events.note(event.stage) }
    }
    XCTAssertEqual(cache.get(2).answer, "42")
    XCTAssertEqual(events.entries, ["near", "origin"])
    XCTAssertEqual(journal.entries, ["get 2", "renew 2", "fill 2 42 with lease"])
  }

  func testANestedSumIsAskedOnlyForLeases() {
    let upper = ScriptedLevel(0, LevelScript())
    let sum = rejecting((upper.cache + level()).named("storage")) + origin
    XCTAssertEqual(sum.get(2).answer, "42")
    XCTAssertEqual(upper.events, ["get 2", "set 2 1", "set 2 42"])
    XCTAssertEqual(journal.entries, ["get 2", "renew 2", "fill 2 42 with lease"])
  }

  func testABranchWithoutLeasesIsNotReadAgain() {
    let plain = ScriptedLevel(0, LevelScript())
    let branches = Cache.switching(level(), plain.cache) { $0 == 2 ? .first : .second }
    let sum = rejecting(branches) + origin
    XCTAssertEqual([sum.get(2).answer, sum.get(3).answer], ["42", "43"])
    XCTAssertEqual(plain.events, ["get 3", "set 3 43"])
    XCTAssertEqual(journal.entries, ["get 2", "renew 2", "fill 2 42 with lease"])
  }
}
