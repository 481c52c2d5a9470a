import Foundation
import XCTest

@testable import StrataCore
@testable import StrataVerbs

/// The known pitfalls of tags in other libraries.
final class TaggedLoadTests: XCTestCase {
  private typealias Level = Cache<String, Stamped<Int>>

  /// An origin whose loads the test ends.
  private final class Origin: Sendable {
    private let held = Lock<[Promise<Int>.Continuation]>([])
    var count: Int { held.withLock { $0.count } }

    var fetcher: Fetcher<String, Int> {
      Fetcher { _ in Promise { continuation in self.held.withLock { $0.append(continuation) } } }
    }

    func end(_ index: Int, _ value: Int) { _ = held.withLock { $0[index] }.succeed(value) }
  }

  func testARemovalDuringALoadKeepsTheLoadedValueOut() async throws {
    let (level, origin) = (Level.dictionary(), Origin())
    let (stamped, tags) = level.tagged { _, _ in ["x"] }
    let cache = stamped.expiring(after: .seconds(60)) + origin.fetcher
    let answer = cache.get("a")
    try await tags.remove("x")
    origin.end(0, 1)
    let value = try await answer.value
    XCTAssertEqual(value, 1, "The caller that came before the removal gets its value.")
    XCTAssertNil(level.get("a").outcome?.value, "But it isn't stored.")
    let next = cache.get("a")
    origin.end(1, 2)
    let new = try await next.value
    let stored = try await cache.value(for: "a")
    XCTAssertEqual([new, stored], [2, 2])
  }

  func testARemovalOfAnotherTagDuringALoadDoesNotMatter() async throws {
    let (level, origin) = (Level.dictionary(), Origin())
    let (stamped, tags) = level.tagged { _, _ in ["x"] }
    let cache = stamped.expiring(after: .seconds(60)) + origin.fetcher
    let answer = cache.get("a")
    try await tags.remove("y")
    origin.end(0, 1)
    _ = try await answer.value
    XCTAssertEqual(level.get("a").outcome?.value?.value, 1)
  }

  func testAGetAfterARemovalJoinsNoOlderLoad() async throws {
    for isAbove in [true, false] {
      let origin = Origin()
      let (stamped, tags) = Level.dictionary().tagged { _, _ in ["x"] }
      let expiring = stamped.expiring(after: .seconds(60))
      let cache =
        isAbove ? (expiring + origin.fetcher).pooled() : expiring + origin.fetcher.pooled()
      let old = cache.get("a")
      let joined = cache.get("a")
      XCTAssertEqual(origin.count, 1)
      try await tags.remove("x")
      let new = cache.get("a")
      XCTAssertEqual(origin.count, 2, "The old load may have read the origin before the removal.")
      origin.end(1, 2)
      origin.end(0, 1)
      let values = [try await old.value, try await joined.value, try await new.value]
      XCTAssertEqual(values, [1, 1, 2])
      let stored = try await cache.value(for: "a")
      XCTAssertEqual(stored, 2)
    }
  }

  func testAMarkIsEffectiveInWhicheverLevelTheValueIs() async throws {
    let (upper, lower) = (Level.dictionary(), Level.dictionary())
    let broken = Lock(false)
    let fickle = Level(
      get: { key in broken.withLock { $0 } ? Promise(error: URLError(.timedOut)) : upper.get(key) },
      set: { upper.set($0, $1) }, remove: { upper.remove($0) }, clear: { upper.clear() })
    let (stamped, tags) = (fickle + lower).tagged { _, _ in ["x"] }
    let cache = stamped.expiring(after: .seconds(60))
    try await cache.set(1, for: "a")
    broken.withLock { $0 = true }
    try await tags.remove("x")
    let below = try await cache.findValue(for: "a")
    XCTAssertNil(below, "The lower level answers, and the mark concerns it.")
    broken.withLock { $0 = false }
    let above = try await cache.findValue(for: "a")
    XCTAssertNil(above, "The level that was skipped has no removed value.")
  }

  func testAMarkThatASecondMachineReadsIsNotStoredAgain() async throws {
    let writes = Lock<[String]>([])
    let store: Cache<String, TagMark> = .dictionary()
    let marks = Cache<String, TagMark>(
      keepsOrder: true, get: store.get,
      set: { key, mark in
        writes.withLock { $0.append(key) }
        return store.set(key, mark)
      }, remove: store.remove, clear: store.clear)
    let level = Level.dictionary()
    func machine() -> (cache: Cache<String, Int>, tags: Tags) {
      let tags = Tags(in: marks)
      return (
        level.tagged(by: tags) { _, number in ["n:\(number)"] }.expiring(after: .seconds(60)), tags
      )
    }
    let (one, other) = (machine(), machine())
    try await one.cache.set(1, for: "a")
    try await one.cache.set(2, for: "b")
    try await one.tags.remove("n:1")
    XCTAssertEqual(writes.withLock { $0 }, ["latest", "tag/n:1"])
    for _ in 1...2 {
      let found = [
        try await other.cache.findValue(for: "a"), try await other.cache.findValue(for: "b"),
      ]
      XCTAssertEqual(found, [nil, 2])
    }
    try await other.cache.set(1, for: "a")
    let again = [
      try await one.cache.findValue(for: "a"), try await other.cache.findValue(for: "a"),
    ]
    XCTAssertEqual(again, [1, 1])
    XCTAssertEqual(writes.withLock { $0.count }, 2, "Reading a mark never writes one.")
  }

  func testARemovalOnAnotherMachineKeepsALoadedValueOut() async throws {
    let (marks, level, origin) = (Cache<String, TagMark>.dictionary(), Level.dictionary(), Origin())
    let (here, there) = (Tags(in: marks), Tags(in: marks))
    let cache =
      level.tagged(by: here) { _, _ in ["x"] }.expiring(after: .seconds(60))
      + origin.fetcher.pooled()
    let old = cache.get("a")
    try await there.remove("x")
    let new = cache.get("a")
    XCTAssertEqual(origin.count, 2)
    origin.end(1, 2)
    origin.end(0, 1)
    let values = [try await old.value, try await new.value]
    XCTAssertEqual(values, [1, 2])
    let stored = try await cache.value(for: "a")
    XCTAssertEqual(stored, 2)
  }

  func testMarksAreNotCountedAsMisses() async throws {
    let statistics = CacheStatistics()
    let marks: Cache<String, TagMark> = .dictionary()
    let tags = Tags(in: marks)
    let stamped = Level.dictionary().tagged(by: tags) { _, number in ["n:\(number)", "all"] }
    let cache = stamped.expiring(after: .seconds(60)).named("pages")
      .observed(by: statistics.observer)
    try await cache.set(1, for: "a")
    try await tags.remove("n:2")
    for _ in 1...3 { _ = try await cache.value(for: "a") }
    try await tags.remove("n:1")
    _ = try await cache.findValue(for: "a")
    let pages = try XCTUnwrap(statistics.snapshot["pages"])
    XCTAssertEqual(pages.hits, 3, "Absent marks are no misses of the cache.")
    XCTAssertEqual(pages.misses, 1, "A removed value is one.")
  }

  func testEveryWayToReadKnowsTheTags() async throws {
    let (stamped, tags) = Level.memory().tagged { _, number in ["n:\(number)"] }
    let cache = stamped.expiring(after: .seconds(60))
    for (key, number) in [("a", 1), ("b", 2)] { try await cache.set(number, for: key) }
    try await tags.remove("n:1")
    let outcomes = try await stamped.outcomes(for: ["a", "b", "c"])
    XCTAssertEqual(try outcomes.map { try $0.found?.value }, [nil, 2, nil])
    let many = try await cache.outcomes(for: ["a", "b"])
    XCTAssertEqual(try many.map { try $0.found }, [nil, 2])
    let copied = try await (cache.fetcher).findValue(for: "a")
    XCTAssertNil(copied)
    let bulk = Level(
      getMany: { keys in
        Promise(Dictionary(uniqueKeysWithValues: keys.map { ($0, Stamped(1, storedAt: .first)) }))
      }, get: { _ in .miss }, set: { _, _ in Promise() })
    let (fromBulk, marks) = bulk.tagged { _, number in ["n:\(number)"] }
    try await marks.remove("n:1")
    let none = try await fromBulk.outcomes(for: ["a", "b"])
    XCTAssertEqual(try none.map { try $0.found?.value }, [nil, nil])
  }

  func testAMarkRemovesAValueThatAMarkOfAnotherTagMadeLater() async throws {
    let (marks, level) = (Cache<String, TagMark>.dictionary(), Level.dictionary())
    let machines = (0..<2).map { _ in Tags(in: marks) }
    let caches = machines.map { tags in
      level.tagged(by: tags) { key, number in ["key:\(key)", "n:\(number)"] }
        .expiring(after: .seconds(60))
    }
    for round in 0..<4 {
      try await machines[round % 2].remove("key:a")
      try await caches[0].set(1, for: "a")
      let kept = try await caches[1].findValue(for: "a")
      try await machines[round / 2].remove("n:1")
      let removed = try await caches[1].findValue(for: "a")
      XCTAssertEqual([kept, removed], [1, nil], "round \(round)")
    }
  }

  func testMarksThatCannotBeReadFailTheGet() async throws {
    let tags = Tags(in: .failing(URLError(.timedOut)))
    let level = Level.dictionary(["a": Stamped(1, storedAt: .first)])
    let cache = level.tagged(by: tags) { _, _ in ["x"] } + .constant(Stamped(2, storedAt: .first))
    let found = try await cache.value(for: "a")
    XCTAssertEqual(found.value, 2, "A sum reads the next level.")
  }
}
