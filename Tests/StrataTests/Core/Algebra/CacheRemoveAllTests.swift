import Foundation
import Strata
import XCTest

final class CacheRemoveAllTests: XCTestCase {
  func testOnlyMatchingKeysAreRemovedFromEachLevel() async throws {
    let (upper, lower) = (Cache<Int, Int>.memory(capacity: 200), Cache<Int, Int>.dictionary())
    let cache = upper + lower
    for key in 0..<100 { try await cache.set(key, for: key) }
    try await lower.set(1, for: 1_000)
    try await cache.removeAll { $0 % 2 == 0 }
    for level in [upper, lower] {
      let left = (0..<100).filter { level.get($0).outcome?.value != nil }
      XCTAssertEqual(left, Array(stride(from: 1, to: 100, by: 2)))
    }
    let stored = try await lower.findValue(for: 1_000)
    XCTAssertNil(stored)
  }

  func testAPrefixIsAPartOfACache() async throws {
    let store: Cache<String, Int> = .dictionary()
    let (one, other): (Cache<String, Int>, Cache<String, Int>) = (
      { "a/" + $0 } <^> store, { "b/" + $0 } <^> store
    )
    try await one.set(1, for: "x")
    try await other.set(2, for: "x")
    try await store.removeAll(under: "a/")
    let values = [try await one.findValue(for: "x"), try await other.findValue(for: "x")]
    XCTAssertEqual(values, [nil, 2])
  }

  func testVerbsAndCodecsListTheKeysOfTheirLevel() async throws {
    let stamped: Cache<String, Stamped<Int>> = .memory()
    let cache = stamped.expiring(after: .seconds(60)).pooled().named("a")
    try await cache.set(1, for: "x")
    try await cache.set(2, for: "y")
    try await cache.removeAll(under: "x")
    let values = [try await cache.findValue(for: "x"), try await cache.findValue(for: "y")]
    XCTAssertEqual(values, [nil, 2])
  }

  func testALevelWithoutAListRefuses() async throws {
    let level = Cache<String, Int>(
      keepsOrder: true, get: { _ in Promise(1) }, set: { _, _ in Promise() })
    for cache in [level, .memory() + level, .dictionary().mapKeys { (key: String) in key + "/" }] {
      do {
        try await cache.removeAll(under: "a")
        XCTFail("\(cache.plan) has no list")
      } catch { XCTAssertTrue(error is UnlistedKeys, "\(error)") }
    }
  }

  func testALoadInFlightStoresNothing() async throws {
    let held = Lock<Promise<Int>.Continuation?>(nil)
    let memory: Cache<String, Int> = .memory()
    let cache =
      memory
      + Fetcher { _ in Promise { continuation in held.withLock { $0 = continuation } } }.pooled()
    let old = cache.get("a/1")
    try await cache.removeAll(under: "a/")
    let before = held.withLock { $0 }
    let new = cache.get("a/1")
    held.withLock { $0 }?.succeed(2)
    before?.succeed(1)
    let values = [try await old.value, try await new.value, try await cache.value(for: "a/1")]
    XCTAssertEqual(values, [1, 2, 2])
  }
}
