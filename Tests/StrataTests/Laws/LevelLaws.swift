import Foundation
import StrataLaws
import XCTest

@testable import StrataCore
@testable import StrataDisk
@testable import StrataVerbs

/// Every level, and every cache made of levels, obeys the contract of a level.
final class LevelLaws: XCTestCase {
  /// Checks the laws of several levels at the same time, but those of one level one after another.
  /// A law can block its thread until an async function has run, so many laws at once could take
  /// all threads that run such functions. `cases` is the number of random cases per law, unless the
  /// environment variable `STRATA_CASES` is set.
  private func check(_ levels: (laws: Laws, cases: Int)...) async throws {
    try await withThrowingTaskGroup { group in
      for (laws, cases) in levels {
        group.addTask { try await Laws.check(laws, cases: Extent.cases(cases)) }
      }
      try await group.waitForAll()
    }
  }

  func testMemory() async throws {
    try await check(
      (.level { Cache<String, Int>.memory() }, 200),
      (.level(keeps: .upTo(2)) { Cache<Int, Int>.memory(capacity: 2) }, 200),
      (.level(keeps: .upTo(0)) { Cache<Int, Int>.memory(capacity: 0) }, 50),
      (.level(isPersistent: true) { Cache<String, Data>.memory(onMemoryWarning: .ignore) }, 100),
      (
        .level(keeps: .upTo(4)) {
          Cache<URL, Data>.memory(
            capacity: .cost(4) { _ in 1 }, onMemoryWarning: .trim(to: 0.5))
        }, 100
      ))
  }

  func testMemoryWithAHandle() async throws {
    try await check(
      (.level(keeps: .upTo(2)) { Cache<Int, Int>.memory(MemoryStorage(capacity: 2)) }, 100),
      (
        .level {
          Cache<String, Int>.memory(MemoryStorage(costing: 1_000_000) { $0.utf8.count + $1 % 2 })
        }, 100
      ))
  }

  func testLevelsOfStampedValues() async throws {
    try await check(
      (.level { Cache<Int, Stamped<Int>>.memory().expiring(after: .seconds(3600)) }, 100),
      (
        .level(keeps: .upTo(2)) {
          Cache<String, Stamped<Int>>.memory(capacity: 2, expiringAfterAccess: .seconds(3600))
            .expiring { _, _ in nil }
        }, 100
      ),
      (
        .level {
          Cache<Int, Stamped<Int>>.memory().aged(atMost: .seconds(3600)).expiring(
            after: .seconds(3600))
        }, 100
      ),
      (
        .level(consistency: .regular) {
          (Cache<Int, Stamped<Int>>.memory(capacity: 1).aged(atMost: .seconds(3600))
            + .memory()).expiring(after: .seconds(3600))
        }, 100
      ))
  }

  func testDisk() async throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
      "strata-laws-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    let disk: @Sendable (String) -> Cache<String, Data> = { .disk($0, in: folder) }
    try await check(
      (.level("disk", reopening: disk), 20),
      (
        .level(
          "disk that writes on other threads",
          reopening: { place in
            let log = SegmentLogs.at(folder.appendingPathComponent(place).path, capacity: 1 << 24)
            return Cache<String, Data>.disk(
              log, format: .bytes, plan: .level("log", .storage), writingUpTo: 0)
          }), 20
      ),
      (
        .level(
          "above disk", consistency: .regular, reopening: { .memory(capacity: 2) + disk($0) }), 20
      ))
  }

  func testDictionary() throws {
    try Laws.check(
      .level(isPersistent: true) { Cache<String, Int>.dictionary() }, cases: Extent.cases(100))
  }

  func testUserDefaults() async throws {
    let suites = (0..<2).map { _ in "strata-laws-\(UUID().uuidString.lowercased())" }
    defer { UserDefaultsTests.remove(suites) }
    let level: @Sendable (String) -> Cache<String, Data> = { suite in
      let level = Cache<String, Data>.userDefaults(suite: suite)
      _ = level.clear()
      return level
    }
    let all = Laws.level("userDefaults", isPersistent: true) { level(suites[0]) }
    // Each write takes as long as there are values, so the law about thousands of them has only
    // hundreds of keys by default. It runs beside the others. These share a suite, so they run one
    // after another.
    let large =
      Extent.isFull
      ? Laws.level(isPersistent: true) { level(suites[1]) }
      : .level(isPersistent: true) { level(suites[1]).mapKeys { (key: Few) in key.name } }
    let size = Laws("size", large.laws.filter { $0.name == "level.size" })
    async let report = Laws.check(size, cases: Extent.cases(3))
    try await Laws.check(
      Laws("others", all.laws.filter { $0.name != "level.size" }), cases: Extent.cases(3))
    _ = try await report
  }

  func testCustomLevels() async throws {
    try await check(
      (.level("sync", isPersistent: true) { Shelf().sync }, 100),
      (.level("async", isPersistent: true) { Shelf().async }, 30),
      (.level("promises", isPersistent: true) { Shelf().promises }, 100))
  }

  func testSums() async throws {
    try await check(
      (
        .level(isPersistent: true, consistency: .regular) {
          .memory(capacity: 1) + Shelf().promises
        }, 100
      ),
      (
        .level(isPersistent: true, consistency: .regular) { .memory(capacity: 1) + Shelf().async },
        30
      ),
      (
        .level(consistency: .regular) {
          .memory(capacity: 2) + .memory() + .empty as Cache<Int, Int>
        }, 100
      ))
  }

  func testMaps() async throws {
    try await check(
      (.level { { "\($0)" } <^> .memory() <*> .utf8 as Cache<Int, String> }, 100),
      (
        .level {
          let later = Transformer<Int, Int> { key async throws in key }
          return Cache<Int, Int>.memory().mapKeys(later)
        }, 30
      ),
      (
        .level {
          let later = Codec<Int, Int>(
            decode: { value async throws in value }, encode: { value async throws in value })
          return Cache<Int, Int>.memory() <*> later
        }, 30
      ))
  }

  func testVerbs() async throws {
    try await check(
      (.level { Cache<String, Int>.memory().pooled() }, 100),
      (.level(consistency: .regular) { (.memory(capacity: 1) + Shelf().async).pooled() }, 30),
      (
        .level(consistency: .regular) {
          (.memory(capacity: 1) + Shelf().async).broadcasting().cache
        }, 30
      ),
      (.level { Cache<Int, Int>.memory().named("memory").observed { _ in } }, 50))
  }
}

/// One of a few hundred keys.
private struct Few: LawSample, Hashable {
  let name: String
  static var sampleCount: Int { 300 }
  static func sample(_ number: Int) -> Few { Few(name: "\(number)") }
}

/// A custom level that is written in three ways: with synchronous, async, and promise functions.
private final class Shelf: Sendable {
  private let held = Lock<[Int: Int]>([:])

  private func look(_ key: Int) throws -> Int {
    guard let value = held.withLock({ $0[key] }) else { throw CacheError.notFound }
    return value
  }

  private func put(_ value: Int?, under key: Int) { held.withLock { $0[key] = value } }

  private func clear() { held.withLock { $0 = [:] } }

  var sync: Cache<Int, Int> {
    Cache(
      get: { try self.look($0) }, set: { self.put($1, under: $0) },
      remove: { self.put(nil, under: $0) }, clear: { self.clear() })
  }

  /// In this level, a `set` takes some time, and continues even if it is cancelled.
  var async: Cache<Int, Int> {
    Cache(
      get: { key async throws in try self.look(key) },
      set: { key, value async throws in
        for _ in 0..<(value & 31) { await Task.yield() }
        self.put(value, under: key)
      },
      remove: { key async throws in self.put(nil, under: key) },
      clear: { () async throws in self.clear() })
  }

  var promises: Cache<Int, Int> {
    let sync = sync
    return Cache(get: sync.get, set: sync.set, remove: sync.remove, clear: sync.clear)
  }
}
