import XCTest

@testable import StrataCore
@testable import StrataVerbs

final class CacheCustomTests: XCTestCase {
  private struct Broken: Error, Equatable {}

  func testALevelOfSynchronousFunctionsIsSynchronous() {
    let held = Lock<[Int: Int]>([:])
    let cache = Cache<Int, Int>(
      get: { key in
        guard let value = held.withLock({ $0[key] }) else { throw CacheError.notFound }
        return value
      },
      set: { key, value in
        guard value >= 0 else { throw Broken() }
        held.withLock { $0[key] = value }
      },
      remove: { key in held.withLock { $0[key] = nil } },
      clear: { held.withLock { $0 = [:] } })
    XCTAssertEqual(cache.set(0, 5).answer, "()")
    XCTAssertEqual(cache.get(0).answer, "5")
    XCTAssertEqual(cache.set(0, -1).answer, Promise<Void>(error: Broken()).answer)
    _ = cache.remove(0)
    XCTAssertEqual(cache.get(0).answer, "not found")
    _ = cache.set(0, 5)
    _ = cache.clear()
    XCTAssertEqual(cache.get(0).answer, "not found")
  }

  func testAnOmittedFunctionDoesNothingAndSucceeds() async throws {
    let promising = Cache<Int, Int>(get: { Promise($0) }, set: { _, _ in Promise() })
    let throwing = Cache<Int, Int>(get: { (key: Int) throws -> Int in key }, set: { _, _ in })
    let async = Cache<Int, Int>(get: { (key: Int) async throws -> Int in key }, set: { _, _ in })
    for cache in [promising, throwing, async] {
      try await cache.set(9, for: 1)
      try await cache.removeValue(for: 1)
      try await cache.removeAll()
      cache.memoryWarning()
      let value = try await cache.value(for: 1)
      XCTAssertEqual(value, 1)
      XCTAssertEqual(cache.plan.description, "cache")
    }
  }

  func testAsyncOperationsOfAKeyKeepTheOrderOfTheirCalls() async throws {
    let held = Lock<[Int: Int]>([:])
    let cache = Cache<Int, Int>(
      get: { key async throws -> Int in
        await Task.yield()
        guard let value = held.withLock({ $0[key] }) else { throw CacheError.notFound }
        return value
      },
      set: { key, value async throws in
        for _ in 0..<(value % 3) { await Task.yield() }
        held.withLock { $0[key] = value }
      },
      remove: { key async throws in held.withLock { $0[key] = nil } },
      clear: { () async throws in held.withLock { $0 = [:] } })
    for round in 0..<200 {
      _ = cache.set(0, round)
      _ = cache.set(0, round + 1)
      let value = try await cache.get(0).value
      XCTAssertEqual(value, round + 1)
      _ = cache.set(1, round)
      _ = cache.remove(0)
      let removed = try await cache.findValue(for: 0)
      XCTAssertNil(removed)
      _ = cache.clear()
      let missing = try await cache.findValue(for: 1)
      XCTAssertNil(missing)
    }
  }

  func testAnAsyncWriteOfAnotherKeyDoesNotWait() async throws {
    let gate = Pending<Void>()
    let cache = Cache<Int, Int>(
      get: { key async throws -> Int in key },
      set: { key, _ async throws in if key == 0 { try await Promise(.pending(gate)).value } })
    let held = cache.set(0, 1)
    let read = cache.get(0)
    try await cache.set(1, for: 1)
    let value = try await cache.value(for: 1)
    XCTAssertEqual(value, 1)
    XCTAssertEqual([held.answer, read.answer], ["no answer", "no answer"])
    gate.settle(.success(()))
    let late = try await read.value
    XCTAssertEqual(late, 0)
  }

  func testAnAsyncWriteCancelledWhileItWaitsIsNeverBegun() async throws {
    let (gate, events) = (Pending<Void>(), Lock<[Int]>([]))
    let cache = Cache<Int, Int>(
      get: { key async throws -> Int in key },
      set: { _, value async throws in
        events.withLock { $0.append(value) }
        if value == 1 { try await Promise(.pending(gate)).value }
      })
    let (first, second, third) = (cache.set(0, 1), cache.set(0, 2), cache.set(0, 3))
    second.cancel()
    gate.settle(.success(()))
    try await first.value
    try await third.value
    XCTAssertEqual(events.withLock { $0 }, [1, 3])
  }

  func testAWriteWaitsForTheTaskOfACancelledWrite() async throws {
    let (gate, begun, held) = (Pending<Void>(), Pending<Void>(), Lock<[Int: Int]>([:]))
    let cache = Cache<Int, Int>(
      get: { key async throws -> Int in held.withLock { $0[key] ?? 0 } },
      set: { key, value async throws in
        if value == 1 {
          begun.settle(.success(()))
          await withCheckedContinuation { continuation in  // Ignores cancellation.
            Promise(.pending(gate)).observed { _ in continuation.resume() }
          }
        }
        held.withLock { $0[key] = value }
      })
    let first = cache.set(0, 1)
    try await Promise(.pending(begun)).value
    first.cancel()
    XCTAssertEqual(first.answer, "cancelled")
    let second = cache.set(0, 2)
    gate.settle(.success(()))
    try await second.value
    let value = try await cache.value(for: 0)
    XCTAssertEqual(value, 2)
    XCTAssertEqual(held.withLock { $0 }, [0: 2])
  }

  func testNoWriteOfAKeyOverlapsACancelledOne() async throws {
    let (running, most) = (Lock(0), Lock(0))
    let cache = Cache<Int, Int>(
      get: { key async throws -> Int in key },
      set: { _, _ async throws in
        let now = running.withLock { count in
          count += 1
          return count
        }
        most.withLock { $0 = max($0, now) }
        for _ in 0..<5 { await Task.yield() }
        running.withLock { $0 -= 1 }
      })
    for round in 0..<500 { cache.set(0, round).cancel() }
    try await cache.set(0, for: 0)
    XCTAssertEqual(most.withLock { $0 }, 1)
  }
}
