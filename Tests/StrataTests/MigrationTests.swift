import Foundation
import Strata
import XCTest

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// What the migration table says to write, row by row: it compiles, and does what the table says.
final class MigrationTests: XCTestCase {
  private let upper: Cache<String, Data> = .memory()
  private let lower: Cache<String, Data> = .memory()

  func testLevelsAndWhatJoinsThem() {
    let memory: Cache<URL, Int> = .memory()
    let disk: Cache<String, Data> = .disk()
    let network: (Fetcher<URL, Data>, Fetcher<URLRequest, Data>) = (.network(), .network())
    XCTAssertEqual(memory.plan.description, "memory(1000)")
    XCTAssertEqual(disk.plan.description, "disk(100 MB)")
    XCTAssertEqual(network.0.plan, network.1.plan)
    XCTAssertEqual((upper + lower).plan, upper.backed(by: lower).plan)
    XCTAssertEqual((\URL.path <^> upper).plan, upper.mapKeys(\URL.path).plan)
    XCTAssertEqual((upper <*> .utf8).plan, upper.mapValues(.utf8).plan)
    XCTAssertEqual(upper.pooled().plan.description, "memory(1000).pooled()")
  }

  func testTransformersAndCodecs() throws {
    let length = Transformer<String, Int> { $0.count }
    let twice = Transformer<Int, Int> { $0 * 2 }
    XCTAssertEqual(try (length >>> twice)("four").outcome?.get(), 8)
    XCTAssertEqual(try length.then(twice)("four").outcome?.get(), 8)
    let slow = upper.mapKeys(Transformer<Int, String> { number async throws in "\(number)" })
    XCTAssertEqual(slow.plan.description, "keys <^> memory(1000)")

    let text: Codec<Data, String> = .utf8
    let latin: Codec<Data, String> = .string(.isoLatin1)
    let numbers: Codec<Data, [Int]> = .json()
    XCTAssertEqual(try text.inverse.decode("a").outcome?.get(), Data("a".utf8))
    XCTAssertEqual(try latin.encode("é").outcome?.get(), Data([0xE9]))
    XCTAssertEqual(try numbers.decode(Data("[1]".utf8)).outcome?.get(), [1])
    XCTAssertEqual(try (text >>> text.inverse).decode(Data("a".utf8)).outcome?.get().count, 1)
    XCTAssertEqual(try text.then(text.inverse).decode(Data("a".utf8)).outcome?.get().count, 1)
  }

  func testCalls() async throws {
    let cache = upper + lower
    let data = Data("x".utf8)
    cache.set(data, for: "key")
    let (now, later) = (cache.get("key"), try await cache.value(for: "key"))
    XCTAssertEqual(now.outcome?.value, later)
    cache.removeValue(for: "key")
    let found = try await cache.find("key")
    XCTAssertNil(found)
    XCTAssertEqual(cache.get("key").outcome?.error as? CacheError, .notFound)
    XCTAssertEqual(cache.get("key").outcome?.error?.isMiss, true)
    cache.set(data, for: "key")
    cache.memoryWarning()
    try await cache.set(data, for: "key").value
    try await cache.removeAll().value
    XCTAssertNil(cache.get("key").outcome?.value)
  }

  func testAFetcherIsNotWritten() {
    let fetcher = Fetcher<String, Data> { Data($0.utf8) }
    let cache = upper + fetcher
    XCTAssertNotNil(cache.set(Data(), for: "key").outcome?.value)
    cache.memoryWarning()
    XCTAssertEqual(cache.get("key").outcome?.value, Data("key".utf8))
  }

  func testAnObserverInPlaceOfALogger() {
    let lines = Journal<String>()
    let cache = upper.observed { event in lines.note("\(event.operation)") }
    cache.set(Data(), for: "key")
    XCTAssertEqual(lines.entries, ["set"])
  }

  func testPromises() {
    let ends = Journal<String>()
    let promise = Promise<Int> { continuation in continuation.succeed(2) }
    promise.onSuccess { ends.note("kept \($0)") }.onFailure { ends.note("failed \($0)") }
      .onCancel { ends.note("cancelled") }.onCompletion { _ in ends.note("done") }
    XCTAssertEqual(ends.entries, ["kept 2", "done"])

    let failing = Promise<Int>(error: CacheError.notFound)
    XCTAssertEqual(promise.map { $0 + 1 }.outcome?.value, 3)
    XCTAssertEqual(promise.flatMap { Promise($0 + 1) }.outcome?.value, 3)
    XCTAssertEqual(promise.filter { $0 == 2 }.outcome?.value, 2)
    XCTAssertEqual(failing.recover { _ in 4 }.outcome?.value, 4)
    XCTAssertEqual(promise.zip(promise).outcome?.value?.1, 2)
    XCTAssertEqual(Promise.retry(1) { promise }.outcome?.value, 2)
    XCTAssertEqual(promise.timeout(after: .seconds(1)).outcome?.value, 2)
    XCTAssertNil(promise.delayed(by: .seconds(1), on: TimeSource.manual().time).outcome?.value)
  }

  func testPromisesOfMany() {
    let (promise, failing) = (Promise(2), Promise<Int>(error: CacheError.notFound))
    XCTAssertEqual(Promise.all([promise, promise]).outcome?.value, [2, 2])
    XCTAssertEqual(Promise.all([promise, failing]).outcome?.error as? CacheError, .notFound)
    XCTAssertEqual(Promise.some([failing, promise]).outcome?.value, [2])
    XCTAssertEqual(Promise.first([promise, failing]).outcome?.value, 2)
    XCTAssertEqual(Promise.reduce([promise, promise], 0, +).outcome?.value, 4)
    XCTAssertEqual(Promise.traverse([1, 2]) { Promise($0 * 2) }.outcome?.value, [2, 4])
  }
}
