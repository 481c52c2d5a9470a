import StrataLaws
import XCTest

@testable import Strata

/// Tests the leases for values that a verb or a codec rejects after the level below has returned
/// them.
final class LeaseClaimTests: XCTestCase {
  private struct LevelIsDown: StorageFailure {}

  private let journal = Journal<String>()

  /// A level that returns the value 1 for each key, and needs a lease for each back-fill.
  private func level(
    _ get: @escaping @Sendable () -> Promise<Int> = { Promise(1) },
    claim: @escaping @Sendable () -> Promise<Void> = { Promise(error: LeasedMiss(lease: "lease")) }
  ) -> Cache<Int, Int> {
    let journal = journal
    let plain = Cache<Int, Int>(
      get: { key in
        journal.note("get \(key)")
        return get()
      },
      set: { key, value in
        journal.note("set \(key) \(value)")
        return Promise()
      }, remove: { _ in Promise() }, clear: { Promise() }, memoryWarning: {})
    let claims: LeaseClaims<Int>.Claim = { key in
      journal.note("claim \(key)")
      return claim()
    }
    return plain.leasing(claim: claims) { cache, lease in
      var operations = cache.operations
      if let lease {
        operations.set = { key, value in
          journal.note("fill \(key) \(value) with \(lease)")
          return Promise()
        }
      }
      return operations
    }
  }

  /// A verb that rejects the value 1.
  private func rejecting(_ level: Cache<Int, Int>) -> Cache<Int, Int> {
    level.transformingGet("rejecting") { get in
      { key in get(key).flatMap { $0 == 1 ? .miss : Promise($0) } }
    }
  }

  private let origin = Fetcher<Int, Int> { $0 + 40 }
  private let codec = Codec<Int, Int>(
    decode: { _ in throw CacheError.undecodable(by: "test", reason: "none") }, encode: { $0 })
  private let replaced = ["get 2", "claim 2", "fill 2 42 with lease"]

  func testARejectedValueIsReplaced() {
    XCTAssertEqual((rejecting(level()) + origin).get(2).answer, "42")
    XCTAssertEqual(journal.entries, replaced)
  }

  func testAnAcceptedValueNeedsNoLease() {
    XCTAssertEqual((level() + origin).get(2).answer, "1")
    XCTAssertEqual(journal.entries, ["get 2"])
  }

  func testAValueThatACodecRejectsIsReplaced() {
    XCTAssertEqual((level() <*> codec + origin).get(2).answer, "42")
    XCTAssertEqual(journal.entries, replaced)
  }

  func testALeaseIsForTheMappedKey() {
    let mapped = { (key: Int) in key + 1 } <^> rejecting(level())
    XCTAssertEqual((mapped + origin).get(1).answer, "41")
    let transformed = rejecting(level()).mapKeys(Transformer { (key: Int) in Promise(key + 1) })
    XCTAssertEqual((transformed + origin).get(1).answer, "41")
    let fill = ["get 2", "claim 2", "fill 2 41 with lease"]
    XCTAssertEqual(journal.entries, fill + fill)
  }

  func testANewerValueIsReturned() {
    let gets = Lock(0)
    let newer = level(
      {
        gets.withLock { $0 += 1 }
        return Promise(gets.withLock { $0 })
      }, claim: { Promise(()) })
    XCTAssertEqual((rejecting(newer) + origin).get(2).answer, "2")
    XCTAssertEqual(journal.entries, ["get 2", "claim 2", "get 2"])
  }

  func testANewerValueThatIsRejectedTooIsNotReplaced() {
    let newer = level(claim: { Promise(()) })
    XCTAssertEqual((rejecting(newer) + origin).get(2).answer, "42")
    XCTAssertEqual(journal.entries, ["get 2", "claim 2", "get 2"])
  }

  func testANewerValueThatHasVanishedIsReplaced() {
    let gets = Lock(0)
    let level = level(
      {
        gets.withLock { $0 += 1 }
        return gets.withLock { $0 } == 1 ? Promise(1) : Promise(error: LeasedMiss(lease: "late"))
      }, claim: { Promise(()) })
    XCTAssertEqual((rejecting(level) + origin).get(2).answer, "42")
    XCTAssertEqual(journal.entries, ["get 2", "claim 2", "get 2", "fill 2 42 with late"])
  }

  func testALevelThatFailsOrIsSkippedIsNotAskedForALease() {
    let errors: [any Error] = [
      LevelIsDown(), CacheError.timedOut(), CacheError.conditionNotSatisfied,
      CacheError.overloaded(stage: "", waiting: 1),
    ]
    for error in errors {
      XCTAssertEqual((level({ Promise(error: error) }) + origin).get(2).answer, "42")
    }
    XCTAssertEqual(journal.entries, errors.map { _ in "get 2" })
  }

  func testAConditionIsCalledOnceForEachGet() {
    let calls = Lock(0)
    let skipping = level().conditioned { _ in
      calls.withLock { $0 += 1 }
      return false
    }
    XCTAssertEqual((skipping + origin).get(2).answer, "42")
    XCTAssertEqual(calls.withLock { $0 }, 1)
    XCTAssertEqual(journal.entries, [])
  }

  func testTheLowestLevelIsNotAskedForALease() {
    let sum = Cache<Int, Int>.dictionary() + rejecting(level())
    XCTAssertEqual(sum.get(2).answer, "not found")
    XCTAssertEqual(journal.entries, ["get 2"])
  }

  func testTheErrorOfARejectedValueIsReported() {
    let missing = Fetcher<Int, Int> { _ in throw CacheError.notFound }
    let claims: [@Sendable () -> Promise<Void>] = [
      { Promise(error: LeasedMiss(lease: "lease")) }, { Promise(()) },
      { Promise(error: LevelIsDown()) },
    ]
    for claim in claims {
      XCTAssertThrowsError(try (level(claim: claim) <*> codec + missing).get(2).wait()) {
        XCTAssertEqual($0 as? CacheError, .undecodable(by: "test", reason: "none"))
      }
    }
  }

  func testTheTimeBoundIncludesTheRequestForALease() {
    let (time, clock) = TimeSource.manual()
    let reads = Lock<[Promise<Int>.Continuation]>([])
    let claims = Lock<[Promise<Void>.Continuation]>([])
    let hanging = level(
      { Promise { continuation in reads.withLock { $0.append(continuation) } } },
      claim: { Promise { continuation in claims.withLock { $0.append(continuation) } } })
    let get = (rejecting(hanging).clocked(by: time) + origin).get(2)
    clock.advance(by: .seconds(4))
    reads.withLock { $0.removeFirst() }.succeed(1)
    XCTAssertEqual(journal.entries, ["get 2", "claim 2"])
    clock.advance(by: .milliseconds(999))
    XCTAssertNil(get.outcome)
    clock.advance(by: .milliseconds(1))
    XCTAssertEqual(get.answer, "42")
    XCTAssertEqual(journal.entries, ["get 2", "claim 2"])
    withExtendedLifetime(claims) {}
  }

  func testAHangingRequestForALeaseIsNoFailureOfTheLevel() {
    let (time, clock) = TimeSource.manual()
    let claims = Lock<[Promise<Void>.Continuation]>([])
    let upper = ScriptedLevel(0, LevelScript())
    let lower = level(claim: {
      Promise { continuation in claims.withLock { $0.append(continuation) } }
    })
    let storage = rejecting((upper.cache + lower).named("storage")).clocked(by: time)
    let get = (storage + origin).get(2)
    clock.advance(by: .seconds(5))
    XCTAssertEqual(get.answer, "42")
    XCTAssertEqual(upper.events, ["get 2", "set 2 1", "set 2 42"])
    withExtendedLifetime(claims) {}
  }

  func testVerbsAndObserversDoNotReceiveTheRequestForALease() {
    let stages = Journal<String>()
    let near = level().pooled().rememberingMisses(for: .seconds(60)).named("near")
    let cache = (rejecting(near) + origin.named("origin")).observed { event in
      if event.operation == .get, event.stage.count < 10 { stages.note(event.stage) }
    }
    XCTAssertEqual(cache.get(2).answer, "42")
    XCTAssertEqual(stages.entries, ["near", "origin"])
    XCTAssertEqual(journal.entries, replaced)
    XCTAssertEqual(near.get(2).answer, "1")
  }

  func testARequestForALeaseIsNoSuccessOfACircuit() {
    let level = level(claim: { Promise(error: LevelIsDown()) }) <*> codec
    let guarded = level.breakingCircuit(after: .failures(2), retryAfter: .seconds(60))
    let cache = guarded + origin
    for _ in 0..<3 { XCTAssertEqual(cache.get(2).answer, "42") }
    XCTAssertEqual(journal.entries, ["get 2", "claim 2", "get 2", "claim 2"])
  }

  func testANestedSumIsAskedForTheLeasesOfItsLevels() {
    let upper = ScriptedLevel(0, LevelScript())
    let sum = rejecting((upper.cache + level()).named("storage")) + origin
    XCTAssertEqual(sum.get(2).answer, "42")
    XCTAssertEqual(upper.events, ["get 2", "set 2 1", "set 2 42"])
    XCTAssertEqual(journal.entries, replaced)
  }

  func testANestedSumIsAskedIfOneOfItsLevelsHasNoLease() {
    let upper = level(
      { Promise(error: LeasedMiss(lease: "early")) },
      claim: { Promise(error: LeasedMiss(lease: "upper")) })
    let sum = (upper + rejecting(level())).named("storage") + origin
    XCTAssertEqual(sum.get(2).answer, "42")
    let fills = journal.entries.filter { $0.hasPrefix("fill") }
    XCTAssertEqual(fills.sorted(), ["fill 2 42 with lease", "fill 2 42 with upper"])
  }

  func testACodecInANestedSumIsAskedOnce() {
    let upper = ScriptedLevel(0, LevelScript())
    let sum = (upper.cache + (level() <*> codec)).named("storage") + origin
    XCTAssertEqual(sum.get(2).answer, "42")
    XCTAssertEqual(upper.events, ["get 2", "set 2 42"])
    XCTAssertEqual(journal.entries, replaced)
  }

  func testABranchWithoutLeasesIsNotAsked() {
    let plain = ScriptedLevel(0, LevelScript())
    let branches = Cache.switching(level(), plain.cache) { $0 == 2 ? .first : .second }
    let sum = rejecting(branches) + origin
    XCTAssertEqual([sum.get(2).answer, sum.get(3).answer], ["42", "43"])
    XCTAssertEqual(plain.events, ["get 3", "set 3 43"])
    XCTAssertEqual(journal.entries, replaced)
  }
}
