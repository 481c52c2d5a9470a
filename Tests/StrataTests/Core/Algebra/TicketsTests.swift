import StrataLaws
import XCTest

@testable import StrataCore
@testable import StrataVerbs

/// Tests back-fills with tickets, also of values that a verb or a codec rejects after the level
/// below has returned them.
final class TicketsTests: XCTestCase {
  private struct LevelIsDown: StorageFailure {
    let isOfOneValue = false
    let isOvertaken = false
  }

  private let journal = Journal<String>()

  /// A level that returns the value 1 for each key, and needs a ticket for each back-fill.
  private func level(
    _ get: @escaping @Sendable () -> Promise<Int> = { Promise(1) },
    take: @escaping @Sendable () -> Promise<(any Sendable)?> = { Promise("ticket") }
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
    return plain.filledByTicket(
      take: { key, _ in
        journal.note("take \(key)")
        return take()
      },
      set: { key, value, ticket in
        journal.note("fill \(key) \(value) with \(ticket)")
        return Promise()
      })
  }

  /// A verb that rejects the value 1.
  private func rejecting(_ level: Cache<Int, Int>) -> Cache<Int, Int> {
    level.transformingGet("rejecting") { get in
      { key in get(key).flatMap { $0 == 1 ? .miss : Promise($0) } }
    }
  }

  private let origin = Fetcher<Int, Int>(offMainThread: false) { $0 + 40 }
  private let codec = Codec<Int, Int>(
    decode: { _ in throw CacheError.undecodable(by: "test", reason: "none") }, encode: { $0 })
  private let replaced = ["get 2", "take 2", "fill 2 42 with ticket"]

  func testARejectedValueIsReplaced() {
    XCTAssertEqual((rejecting(level()) + origin).get(2).answer, "42")
    XCTAssertEqual(journal.entries, replaced)
  }

  func testAnAcceptedValueNeedsNoTicket() {
    XCTAssertEqual((level() + origin).get(2).answer, "1")
    XCTAssertEqual(journal.entries, ["get 2"])
  }

  func testAValueThatACodecRejectsIsReplaced() {
    XCTAssertEqual((level() <*> codec + origin).get(2).answer, "42")
    XCTAssertEqual(journal.entries, replaced)
  }

  func testATicketIsForTheMappedKey() {
    let mapped = { (key: Int) in key + 1 } <^> rejecting(level())
    XCTAssertEqual((mapped + origin).get(1).answer, "41")
    let transformed = rejecting(level()).mapKeys(Transformer { (key: Int) in Promise(key + 1) })
    XCTAssertEqual((transformed + origin).get(1).answer, "41")
    let fill = ["get 2", "take 2", "fill 2 41 with ticket"]
    XCTAssertEqual(journal.entries, fill + fill)
  }

  func testANewerValueIsReturned() {
    let gets = Lock(0)
    let newer = level(
      {
        gets.withLock { $0 += 1 }
        return Promise(gets.withLock { $0 })
      }, take: { Promise(.success(nil)) })
    XCTAssertEqual((rejecting(newer) + origin).get(2).answer, "2")
    XCTAssertEqual(journal.entries, ["get 2", "take 2", "get 2"])
  }

  func testANewerValueThatIsRejectedTooIsReplaced() {
    let newer = level(take: { [journal] in
      Promise(.success(journal.entries.count > 3 ? "late" : nil))
    })
    XCTAssertEqual((rejecting(newer) + origin).get(2).answer, "42")
    XCTAssertEqual(
      journal.entries, ["get 2", "take 2", "get 2", "take 2", "fill 2 42 with late"])
  }

  func testANewerValueThatVanishesAgainIsNotReplaced() {
    let gets = Lock(0)
    let level = level(
      {
        gets.withLock { $0 += 1 }
        return gets.withLock { $0 } == 1 ? Promise(1) : .miss
      }, take: { Promise(.success(nil)) })
    XCTAssertEqual((rejecting(level) + origin).get(2).answer, "42")
    XCTAssertEqual(journal.entries, ["get 2", "take 2", "get 2", "take 2"])
  }

  func testALevelThatFailsOrIsSkippedIsNotAskedForATicket() {
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

  func testTheLowestLevelIsNotAskedForATicket() {
    let sum = Cache<Int, Int>.dictionary() + rejecting(level())
    XCTAssertEqual(sum.get(2).answer, "not found")
    XCTAssertEqual(journal.entries, ["get 2"])
  }

  func testTheErrorOfARejectedValueIsReported() {
    let missing = Fetcher<Int, Int>(offMainThread: false) { _ in throw CacheError.notFound }
    let takes: [@Sendable () -> Promise<(any Sendable)?>] = [
      { Promise("ticket") }, { Promise(.success(nil)) },
      { Promise(error: LevelIsDown()) },
    ]
    for take in takes {
      XCTAssertThrowsError(try (level(take: take) <*> codec + missing).get(2).wait()) {
        XCTAssertEqual($0 as? CacheError, .undecodable(by: "test", reason: "none"))
      }
    }
  }

  func testTheTimeBoundIncludesTheRequestForATicket() {
    let (time, clock) = TimeSource.manual()
    let reads = Lock<[Promise<Int>.Continuation]>([])
    let claims = Lock<[Promise<(any Sendable)?>.Continuation]>([])
    let hanging = level(
      { Promise { continuation in reads.withLock { $0.append(continuation) } } },
      take: { Promise { continuation in claims.withLock { $0.append(continuation) } } })
    let get = (rejecting(hanging).clocked(by: time) + origin).get(2)
    clock.advance(by: .seconds(4))
    reads.withLock { $0.removeFirst() }.succeed(1)
    XCTAssertEqual(journal.entries, ["get 2", "take 2"])
    clock.advance(by: .milliseconds(999))
    XCTAssertNil(get.outcome)
    clock.advance(by: .milliseconds(1))
    XCTAssertEqual(get.answer, "42")
    XCTAssertEqual(journal.entries, ["get 2", "take 2"])
    withExtendedLifetime(claims) {}
  }

  func testAHangingRequestForATicketIsNoFailureOfTheLevel() {
    let (time, clock) = TimeSource.manual()
    let claims = Lock<[Promise<(any Sendable)?>.Continuation]>([])
    let upper = ScriptedLevel(0, LevelScript())
    let lower = level(take: {
      Promise { continuation in claims.withLock { $0.append(continuation) } }
    })
    let inner = upper.cache.clocked(by: time) + lower
    let get = (rejecting(inner.named("storage")) + origin).get(2)
    clock.advance(by: .seconds(10))
    XCTAssertEqual(get.answer, "42")
    XCTAssertEqual(upper.events, ["get 2", "set 2 1", "set 2 42"])
    withExtendedLifetime(claims) {}
  }

  func testVerbsAndObserversDoNotReceiveTheRequestForATicket() {
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

  func testARequestForATicketIsNoSuccessOfACircuit() {
    let level = level(take: { Promise(error: LevelIsDown()) }) <*> codec
    let guarded = level.breakingCircuit(after: .failures(2), retryAfter: .seconds(60))
    let cache = guarded + origin
    for _ in 0..<3 { XCTAssertEqual(cache.get(2).answer, "42") }
    XCTAssertEqual(journal.entries, ["get 2", "take 2", "get 2", "take 2"])
  }

  func testANestedSumIsAskedForTheTicketsOfItsLevels() {
    let upper = ScriptedLevel(0, LevelScript())
    let sum = rejecting((upper.cache + level()).named("storage")) + origin
    XCTAssertEqual(sum.get(2).answer, "42")
    XCTAssertEqual(upper.events, ["get 2", "set 2 1", "set 2 42"])
    XCTAssertEqual(journal.entries, replaced)
  }

  func testANestedSumIsAskedIfOneOfItsLevelsHasNoTicket() {
    let upper = level(
      { .miss }, take: { Promise("upper") })
    let sum = (upper + rejecting(level())).named("storage") + origin
    XCTAssertEqual(sum.get(2).answer, "42")
    let fills = journal.entries.filter { $0.hasPrefix("fill") }
    XCTAssertEqual(fills.sorted(), ["fill 2 42 with ticket", "fill 2 42 with upper"])
  }

  func testACodecInANestedSumIsAskedOnce() {
    let upper = ScriptedLevel(0, LevelScript())
    let sum = (upper.cache + (level() <*> codec)).named("storage") + origin
    XCTAssertEqual(sum.get(2).answer, "42")
    XCTAssertEqual(upper.events, ["get 2", "set 2 42"])
    XCTAssertEqual(journal.entries, replaced)
  }

  func testABranchWithoutTicketsIsNotAsked() {
    let plain = ScriptedLevel(0, LevelScript())
    let branches = Cache.switching(level(), plain.cache) { $0 == 2 ? .first : .second }
    let sum = rejecting(branches) + origin
    XCTAssertEqual([sum.get(2).answer, sum.get(3).answer], ["42", "43"])
    XCTAssertEqual(plain.events, ["get 3", "set 3 43"])
    XCTAssertEqual(journal.entries, replaced)
  }
}
