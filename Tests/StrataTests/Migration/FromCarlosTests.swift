import Foundation
import Strata
import XCTest

/// Tests the caches and verbs in the migration table for Carlos, row by row.
final class FromCarlosTests: MigrationCase {
  func testCaches() throws {  // T53
    let shelf: Cache<String, Data> = .dictionary()
    let get: @Sendable (String) throws -> Data = { Data($0.utf8) }
    let set: @Sendable (String, Data) throws -> Void = { _ = shelf.set($0, $1) }
    let own: Cache<String, Data> = Cache(get: get, set: set)
    _ = own.set("a", bytes("x"))
    XCTAssertEqual([try now(own.get("a")), try now(shelf.get("a"))], [bytes("a"), bytes("x")])

    let fetcher: Fetcher<String, Data> = Fetcher { key in Data(key.utf8) }
    let cache: Cache<String, Data> = upper + fetcher
    XCTAssertNotNil(cache.set("key", Data()).outcome?.value)
    cache.memoryWarning()
    XCTAssertEqual(try cache.get("key").wait(), bytes("key"))
  }

  func testCalls() async throws {
    let (cache, data) = (upper + lower, bytes("x"))
    _ = cache.set("key", data)
    let (one, two) = (try await cache.value(for: "key"), try now(cache.get("key")))
    XCTAssertEqual([one, two], [data, data])
    _ = cache.remove("key")
    let missing = try await cache.findValue(for: "key")
    XCTAssertNil(missing)
    _ = cache.set("key", data)
    cache.memoryWarning()
    _ = cache.clear()
    XCTAssertEqual(cache.get("key").outcome?.error as? CacheError, .notFound)
  }

  func testSumsAndMaps() throws {
    let paths: Cache<URL, Data> = \.path <^> upper
    let texts: Cache<String, String> = upper <*> .utf8
    let slow = Transformer<Int, String> { number async throws in "\(number)" }
    XCTAssertEqual((upper + lower).plan, upper.backed(by: lower).plan)
    _ = paths.set(URL(fileURLWithPath: "/a"), bytes("x"))
    XCTAssertEqual(try now(texts.get("/a")), "x")
    XCTAssertEqual(upper.mapKeys(slow).plan.description, "keys <^> memory(1000)")
  }

  func testPostProcessing() throws {
    let trimmed = Transformer<Data, Data> { $0.prefix(1) }
    let short = upper.postProcessed(trimmed)
    let some = upper.postProcessed { key, value in key == "raw" ? value : value.prefix(3) }
    let keyed: Cache<String, String> =
      upper.mapValues(
        decode: { key, value in key + String(decoding: value, as: UTF8.self) },
        encode: { key, value in Data(value.dropFirst(key.count).utf8) })
    for key in ["raw", "a"] { _ = upper.set(key, bytes("value")) }
    XCTAssertEqual(try now(short.get("a")), bytes("v"))
    XCTAssertEqual(
      [try now(some.get("raw")), try now(some.get("a"))], [bytes("value"), bytes("val")])
    XCTAssertEqual(try now(keyed.get("a")), "avalue")
    _ = keyed.set("a", "anew")
    XCTAssertEqual(try now(upper.get("a")), bytes("new"))
  }

  func testConditionsAndBranches() {
    let open = upper.conditioned { key in key != "secret" }
    let branches = Cache.switching(upper, lower) { key in key.isEmpty ? .first : .second }
    _ = upper.set("secret", bytes("x"))
    XCTAssertEqual(open.get("secret").outcome?.error as? CacheError, .conditionNotSatisfied)
    XCTAssertEqual(open.get("secret").outcome?.error?.isMiss, true)
    _ = branches.set("secret", bytes("y"))
    _ = branches.remove("other")
    XCTAssertEqual(lower.get("secret").outcome?.value, bytes("y"))
    XCTAssertEqual(upper.get("secret").outcome?.value, bytes("x"))
  }

  func testASlowConditionIsAnAsyncClosure() async throws {
    let slow: @Sendable (Int) async throws -> Int = { $0 }
    let long = upper.conditioned { key async throws in try await slow(key.count) > 2 }
    for key in ["a", "long"] { _ = upper.set(key, bytes("x")) }
    let found = try await long.value(for: "long")
    let missing = try await long.findValue(for: "a")
    XCTAssertEqual(found, bytes("x"))
    XCTAssertNil(missing)
  }

  func testManyKeysAndAllKeys() async throws {
    for key in ["a", "b"] { try await upper.set(bytes(key), for: key) }
    let outcomes = try await upper.outcomes(for: ["a", "b"])
    XCTAssertEqual(outcomes.map(\.value), [bytes("a"), bytes("b")])
    let values = try await upper.batched().value(for: ["a", "b"])
    XCTAssertEqual(values, [bytes("a"), bytes("b")])
    let cache = upper
    try await cache.removeAll()
    let found = try await cache.findValue(for: "a")
    XCTAssertNil(found)
  }

  func testLoadAndManyKeys() throws {
    XCTAssertEqual(upper.pooled().plan.description, "memory(1000).pooled()")
    XCTAssertTrue(upper.limited(toConcurrentGets: 2).plan.description.contains("limited"))
    XCTAssertTrue(upper.dispatched(on: queue).plan.description.contains("dispatched"))
    for key in ["a", "b"] { _ = upper.set(key, bytes(key)) }
    XCTAssertEqual(try now(upper.known(of: ["a", "b"])), ["a": bytes("a"), "b": bytes("b")])
    XCTAssertEqual(try now(upper.values(of: ["a", "b"])), [bytes("a"), bytes("b")])
    let many = upper.batched()
    XCTAssertEqual(try now(many.get(["b", "a"])), [bytes("b"), bytes("a")])
    _ = many.remove(["a"])
    XCTAssertEqual(try now(upper.known(of: ["a", "b"])), ["b": bytes("b")])
  }

  func testErrors() {
    let errors: [CacheError] = [
      CacheError.notFound, CacheError.conditionNotSatisfied,
      CacheError.undecodable(by: "utf8", reason: ""),
    ]
    XCTAssertEqual(errors.map(\.isMiss), [true, true, false])
  }
}
