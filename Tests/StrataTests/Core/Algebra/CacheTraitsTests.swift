import Foundation
import XCTest

@testable import StrataCore
@testable import StrataVerbs

/// Checks what a level of functions can declare, and what follows from it in a sum.
final class CacheTraitsTests: XCTestCase {
  private func level(as role: CachePlan.Role) -> (Cache<Int, Int>, Later<Int>) {
    let later = Later<Int>()
    return (
      Cache(as: role, get: { _ in later.promise }, set: { _, _ in Promise() }), later
    )
  }

  func testASumWaitsFiveSecondsForALevelAndWithoutALimitForAnOrigin() {
    for (role, limit) in [
      (CachePlan.Role.storage, Duration.seconds(5)), (.memory, .seconds(5)), (.origin, nil),
    ] {
      let (clock, time) = TimeSource.manual()
      let (level, later) = level(as: role)
      let sum = (Cache<Int, Int>.memory() + level).clocked(by: clock)
      let get = sum.get(1)
      time.advance(by: .seconds(4.9))
      XCTAssertEqual(get.answer, "no answer")
      time.advance(by: .seconds(3600))
      XCTAssertEqual(get.answer == "no answer", limit == nil, "\(role)")
      later.continuation.succeed(7)
      if limit == nil { XCTAssertEqual(get.answer, "7") }
    }
  }

  func testThePlanShowsTheRoleAndTheCapacity() {
    let level = Cache<Int, Int>(
      as: .memory, capacity: .bytes(1 << 20), get: { Promise($0) }, set: { _, _ in Promise() })
    XCTAssertEqual(level.plan.description, "cache(1 MiB)")
    XCTAssertEqual(level.plan.form, .level(.memory))
  }

  func testManyKeysAreOneCall() async throws {
    let calls = Journal<[Int]>()
    let promised = Cache<Int, Int>(
      getMany: { keys in
        calls.note(keys)
        return Promise([1: 10])
      }, get: { Promise($0) }, set: { _, _ in Promise() })
    let outcomes = try await promised.outcomes(for: [1, 2])
    XCTAssertEqual(try outcomes.map { try $0.found }, [10, nil])
    let async = Cache<Int, Int>(
      getMany: { (keys: [Int]) async throws -> [Int: Int] in
        calls.note(keys)
        throw Broken.here
      }, get: { (key: Int) async throws -> Int in key },
      set: { (_: Int, _: Int) async throws -> Void in })
    let failures = try await async.outcomes(for: [3, 4])
    XCTAssertEqual(failures.map { $0.error is Broken }, [true, true])
    XCTAssertEqual(calls.entries, [[1, 2], [3, 4]])
  }

  /// A dictionary can't tell requests with different bodies apart.
  func testRequestsAreSeparateGets() async throws {
    let url = try XCTUnwrap(URL(string: "http://a.test/"))
    let cache = Cache<URLRequest, Int>(
      getMany: { _ in
        XCTFail("Requests need separate gets.")
        return Promise([:])
      }, get: { _ in Promise(1) }, set: { _, _ in Promise() })
    let outcomes = try await cache.outcomes(for: [URLRequest(url: url), URLRequest(url: url)])
    XCTAssertEqual(outcomes.map(\.value), [1, 1])
  }

  @MainActor
  func testThePlainFunctionOfAFetcherLeavesTheMainThread() async throws {
    let fetcher = Fetcher<Int, Bool> { _ in Thread.isMainThread }
    let isMain = try await fetcher.value(for: 1)
    XCTAssertFalse(isMain)
    let computing = Fetcher<Int, Bool>(offMainThread: false) { _ in Thread.isMainThread }
    let isStillMain = try await computing.value(for: 1)
    XCTAssertTrue(isStillMain)
  }

  func testTheDefaultQueueOfALimitIsBounded() {
    let hanging = Fetcher<Int, Int> { _ in Promise(.pending(Pending())) }
    let limited = hanging.limited(toConcurrentGets: 1)
    let gets = (0...10_001).map { limited.get($0) }
    XCTAssertEqual(gets.count { $0.outcome != nil }, 1)
    XCTAssertEqual(
      gets.last?.outcome?.error as? CacheError,
      .overloaded(stage: "fetcher", waiting: 10_000))
    XCTAssertEqual(limited.plan.description, "fetcher.limited(toConcurrentGets: 1)")
  }

  func testTheDefaultRetryWaits() {
    let (clock, time) = TimeSource.manual()
    let calls = Journal<Int>()
    let failing = Fetcher<Int, Int> { key in
      calls.note(key)
      return Promise(error: Broken.here)
    }
    let get = failing.retrying(1, clock: clock).get(1)
    XCTAssertEqual([get.answer, "\(calls.count)"], ["no answer", "1"])
    time.advance(by: .milliseconds(100))
    XCTAssertEqual([get.answer, "\(calls.count)"], ["Broken.here", "2"])
  }
}
