import Foundation
import StrataExplain
import XCTest

@testable import StrataCore
@testable import StrataVerbs

final class TaggedTests: XCTestCase {
  private typealias Level = Cache<String, Stamped<Int>>

  /// A number has the tags of its parity and of its key.
  private static let parity: @Sendable (String, Int) -> [String] = { key, number in
    [number % 2 == 0 ? "even" : "odd", "key:\(key)"]
  }

  /// A level, and a cache that tags the level's values and stamps them for a minute.
  private func tagged(
    _ level: Level = .dictionary()
  ) -> (level: Level, cache: Cache<String, Int>, tags: Tags, time: ManualTime) {
    let (clock, time) = TimeSource.manual()
    let level = level.clocked(by: clock)
    let (cache, tags) = level.tagged(Self.parity)
    return (level, cache.expiring(after: .seconds(60)), tags, time)
  }

  func testARemovedTagRemovesItsValues() async throws {
    let (level, cache, tags, _) = tagged()
    for (key, number) in [("a", 1), ("b", 2), ("c", 3)] { try await cache.set(number, for: key) }
    try await tags.remove("odd")
    let found = [
      try await cache.findValue(for: "a"), try await cache.findValue(for: "b"),
      try await cache.findValue(for: "c"),
    ]
    XCTAssertEqual(found, [nil, 2, nil])
    XCTAssertNil(level.get("a").outcome?.value, "The level forgets the value.")
    XCTAssertNotNil(level.get("b").outcome?.value)
  }

  func testAPeekOfARemovedValueChangesNothing() {
    let (level, cache, tags, _) = tagged()
    _ = cache.set("a", 1)
    _ = tags.mark(["odd"], .remove)
    XCTAssertEqual(cache.peeking.get("a").answer, "not found")
    XCTAssertNotNil(level.get("a").outcome?.value, "The level still has the value.")
    XCTAssertEqual(cache.named("a").peeking.get("a").answer, "not found")
    XCTAssertNotNil(level.get("a").outcome?.value)
    XCTAssertEqual(cache.get("a").answer, "not found")
    XCTAssertNil(level.get("a").outcome?.value)
  }

  func testASetAfterARemovalIsVisibleAndCanBeRemovedAgain() async throws {
    let (_, cache, tags, _) = tagged()
    for _ in 1...3 {  // The clock stands still.
      try await cache.set(1, for: "a")
      let before = try await cache.findValue(for: "a")
      try await tags.remove("odd")
      let after = try await cache.findValue(for: "a")
      XCTAssertEqual([before, after], [1, nil])
    }
  }

  func testAValueWithAnotherStampFromTheLevelIsRemovedToo() async throws {
    let (level, cache, tags, time) = tagged()
    // As an earlier run has stored it.
    try await level.set(Stamped(1, storedAt: time.now), for: "a")
    try await tags.remove("key:a")
    let found = try await cache.findValue(for: "a")
    XCTAssertNil(found)
  }

  func testRemovingNoTagsHasNoEffect() async throws {
    let (_, cache, tags, _) = tagged()
    try await cache.set(1, for: "a")
    try await tags.remove([])
    try await tags.expire(Set())
    let found = try await cache.findValue(for: "a")
    XCTAssertEqual(found, 1)
  }

  func testAnExpiredTagLeavesAFallback() async throws {
    let (clock, time) = TimeSource.manual()
    let level = Level.dictionary().clocked(by: clock)
    let (stamped, tags) = level.tagged(Self.parity)
    let loads = Lock<[Int?]>([2, nil, 4])
    let freshness = Freshness(for: .seconds(60), staleIfError: .seconds(30), pause: .zero)
    let cache = stamped.refreshing(
      freshness,
      from: Fetcher(offMainThread: false) { _ in
        guard let number = loads.withLock({ $0.removeFirst() }) else { throw URLError(.timedOut) }
        return number
      })
    let first = try await cache.value(for: "a")
    time.advance(by: .seconds(20))
    try await tags.expire("even")
    time.advance(by: .seconds(20))
    let failed = try await cache.value(for: "a")
    let second = try await cache.value(for: "a")
    let third = try await cache.value(for: "a")
    XCTAssertEqual([first, failed, second, third], [2, 2, 4, 4])
    XCTAssertEqual(loads.withLock { $0.count }, 0, "The first load, a failure, and one more.")
  }

  func testAFallbackEndsWithItsStaleWindow() async throws {
    let (clock, time) = TimeSource.manual()
    let (stamped, tags) = Level.dictionary().clocked(by: clock).tagged(Self.parity)
    let isBroken = Lock(false)
    let cache = stamped.refreshing(
      Freshness(for: .seconds(60), staleIfError: .seconds(30), pause: .zero),
      from: Fetcher(offMainThread: false) { _ in
        if isBroken.withLock({ $0 }) { throw URLError(.timedOut) }
        return 2
      })
    _ = try await cache.value(for: "a")
    isBroken.withLock { $0 = true }
    try await tags.expire("even")
    time.advance(by: .seconds(31))
    let late = try? await cache.value(for: "a")
    XCTAssertNil(late)
  }

  func testHardAbsorbsSoft() async throws {
    for actions in [[Tags.Action.remove, .expire], [.expire, .remove]] {
      let (level, cache, tags, _) = tagged()
      try await cache.set(1, for: "a")
      for action in actions { try await tags.mark(["odd"], action).value }
      let found = try await cache.findValue(for: "a")
      XCTAssertNil(found)
      XCTAssertNil(level.get("a").outcome?.value)
    }
  }

  func testExpiringTreatsAStaleValueAsAbsent() async throws {
    let (level, cache, tags, _) = tagged()
    try await cache.set(1, for: "a")
    try await tags.expire("odd")
    let found = try await cache.findValue(for: "a")
    XCTAssertNil(found)
    XCTAssertNotNil(level.get("a").outcome?.value, "The level keeps the fallback.")
  }

  func testSeveralCachesShareTheirTags() async throws {
    let tags = Tags()
    let users = Cache<Int, Stamped<String>>.dictionary().tagged(by: tags) { id, _ in ["user:\(id)"]
    }
    .expiring(after: .seconds(60))
    let pages = Level.dictionary().tagged(by: tags) { _, author in ["user:\(author)"] }
      .expiring(after: .seconds(60))
    try await users.set("Ada", for: 7)
    try await pages.set(7, for: "home")
    try await pages.set(8, for: "news")
    try await tags.remove("user:7")
    let (user, home) = (try await users.findValue(for: 7), try await pages.findValue(for: "home"))
    let news = try await pages.findValue(for: "news")
    XCTAssertNil(user)
    XCTAssertNil(home)
    XCTAssertEqual(news, 8)
  }

  func testNoTagIsComputedBeforeTheFirstRemoval() async throws {
    let calls = Lock(0)
    let (stamped, tags) = Level.dictionary().tagged { _, _ in
      calls.withLock { $0 += 1 }
      return ["x"]
    }
    let cache = stamped.expiring(after: .seconds(60))
    try await cache.set(1, for: "a")
    for _ in 1...3 { _ = try await cache.value(for: "a") }
    XCTAssertEqual(calls.withLock { $0 }, 1, "Only the set computes the tags.")
    try await tags.remove("y")
    _ = try await cache.value(for: "a")
    XCTAssertEqual(calls.withLock { $0 }, 2)
    try await cache.set(1, for: "a")
    _ = try await cache.value(for: "a")
    XCTAssertEqual(calls.withLock { $0 }, 3, "The value is newer than the removal now.")
  }

  func testThePlanShowsTheVerb() {
    let (_, cache, _, _) = tagged()
    XCTAssertEqual("\(cache.plan)", "dictionary.tagged().expiring(after: 60 s)")
  }

  func testAStampFromTheFarFutureMovesNoOtherStamp() async throws {
    let (level, cache, tags, time) = tagged()
    let (stamped, marks) = level.tagged(Self.parity)
    try await stamped.set(Stamped(1, storedAt: .last), for: "a")
    try await marks.remove("odd")
    try await tags.remove("odd")
    try await cache.set(3, for: "b")
    let found = try await cache.findValue(for: "b")
    XCTAssertEqual(found, 3)
    let stored = try XCTUnwrap(level.get("b").outcome?.value)
    XCTAssertLessThanOrEqual(stored.storedAt, time.now.advanced(by: .seconds(60)))
  }

  func testTheOldestMarksAreMerged() async throws {
    let (clock, time) = TimeSource.manual()
    let tags = Tags(atMost: 2, clock: clock)
    let cache = Level.dictionary().clocked(by: clock).tagged(by: tags, Self.parity)
      .expiring(after: .seconds(60))
    try await cache.set(2, for: "old")
    time.advance(by: .seconds(1))
    for tag in ["x", "y", "x", "y"] { try await tags.remove(tag) }
    let kept = try await cache.findValue(for: "old")
    XCTAssertEqual(kept, 2, "Two tags have room.")
    time.advance(by: .seconds(1))
    try await cache.set(2, for: "new")
    try await tags.remove("z")
    let values = [try await cache.findValue(for: "old"), try await cache.findValue(for: "new")]
    XCTAssertEqual(values, [nil, 2], "The merged mark concerns only what is older than it.")
    for number in 0..<1_000 { try await tags.remove("tag \(number)") }
    XCTAssertEqual((tags.marks as? LocalMarks)?.count, 2)
  }

  func testTheRemovalOfAnOldValueSparesANewerOne() {
    let (clock, _) = TimeSource.manual()
    let stored = Lock<[Int: Stamped<Int>]>([:])
    let waiting = Lock<[@Sendable () -> Void]>([])
    let level = Cache<Int, Stamped<Int>>(
      keepsOrder: true,
      get: { key in
        let (answer, found) = (Pending<Stamped<Int>>(), stored.withLock { $0[key] })
        waiting.withLock {
          $0.append { answer.settle(found.map { .success($0) } ?? .failure(CacheError.notFound)) }
        }
        return answer.promise
      },
      set: { key, value in
        stored.withLock { $0[key] = value }
        return Promise()
      },
      remove: { key in
        stored.withLock { $0[key] = nil }
        return Promise()
      }
    ).clocked(by: clock)
    let settle = { waiting.withLock { $0.isEmpty ? nil : $0.removeFirst() }?() }
    let (cache, tags) = level.tagged { _, _ in ["all"] }
    _ = cache.set(1, Stamped(5, storedAt: clock.now()))
    _ = tags.mark(["all"], .remove)
    let old = cache.get(1)
    settle()  // The value is behind the mark, so the level is read again.
    let write = cache.set(1, Stamped(6, storedAt: clock.now()))
    settle()
    let new = cache.get(1)
    while !waiting.withLock({ $0.isEmpty }) { settle() }
    XCTAssertEqual([old.answer, write.answer], ["not found", "()"])
    XCTAssertEqual(new.outcome?.value?.value, 6)
  }
}
