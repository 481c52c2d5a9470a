import Foundation
import StrataLaws
import XCTest

@testable import StrataCore
@testable import StrataVerbs

/// A value that was loaded before a removal isn't stored after it, whatever verbs are in between.
final class RemovalDuringLoadTests: XCTestCase {
  private typealias Level = Cache<String, Stamped<Int>>

  /// An origin whose loads the test ends.
  private final class Origin<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private let held = Lock<[Promise<Value>.Continuation]>([])

    var fetcher: Fetcher<Key, Value> {
      Fetcher { _ in Promise { continuation in self.held.withLock { $0.append(continuation) } } }
    }

    func end(_ value: Value) {
      _ = held.withLock { $0.isEmpty ? nil : $0.removeFirst() }?.succeed(value)
    }
  }

  private var refreshed: (level: Level, cache: Cache<String, Int>, tags: Tags) {
    let level = Level.dictionary()
    let (tagged, tags) = level.tagged { _, _ in ["x"] }
    let nothing = Fetcher<String, Int> { _ in .miss }
    return (level, tagged.refreshing(Freshness(for: .seconds(60)), from: nothing), tags)
  }

  func testATagIsRemovedDuringALoadBelowARefreshedCache() {
    for action in [Tags.Action.remove, .expire] {
      for isNamed in [false, true] {
        let (level, upper, tags) = refreshed
        let origin = Origin<String, Int>()
        let cache = (isNamed ? upper.named("upper") : upper) + origin.fetcher
        let watched = isNamed ? cache.observed(by: CacheStatistics().observer) : cache
        let answer = watched.get("a")
        _ = tags.mark(["x"], action)
        origin.end(1)
        XCTAssertEqual(answer.answer, "1", "The caller gets its value.")
        XCTAssertNil(level.get("a").outcome?.value, "But it isn't stored.")
        let next = watched.get("a")
        origin.end(2)
        XCTAssertEqual([next, watched.get("a")].map(\.answer), ["2", "2"])
      }
    }
  }

  func testEverythingIsRemovedOrExpiresDuringALoadBelowARefreshedCache() {
    for operation in [1, 2, 3] {
      let (level, upper, _) = refreshed
      let origin = Origin<String, Int>()
      let cache = upper + origin.fetcher
      let answer = cache.get("a")
      switch operation {
      case 1: _ = upper.clear()
      case 2: _ = upper.remove("a")
      default: _ = upper.operations.expire(nil)
      }
      origin.end(1)
      XCTAssertEqual(answer.answer, "1")
      XCTAssertNil(level.get("a").outcome?.value, "\(operation)")
    }
  }

  func testATagIsRemovedDuringTheLoadOfABatch() {
    let (level, origin) = (Level.dictionary(), Origin<[String], [Int]>())
    let (tagged, tags) = level.tagged { key, _ in [key] }
    let cache = tagged.expiring(after: .seconds(60)).batched() + origin.fetcher
    let answer = cache.get(["a", "b"])
    _ = tags.mark(["a"], .remove)
    origin.end([1, 2])
    XCTAssertEqual(answer.answer, "[1, 2]")
    XCTAssertNil(level.get("a").outcome?.value)
    XCTAssertEqual(level.get("b").outcome?.value?.value, 2)
  }

  func testOneKeyIsWrittenDuringTheLoadOfABatch() {
    for operation in 1...4 {
      let (level, origin) = (Cache<String, Int>.dictionary(), Origin<[String], [Int]>())
      let cache = level.batched() + origin.fetcher
      let answer = cache.get(["a", "b"])
      switch operation {
      case 1: _ = cache.remove(["a"])
      case 2: _ = cache.set(["a", "c"], [5, 6])
      case 3: _ = cache.operations.expire(["a"])
      default: _ = cache.clear()
      }
      origin.end([1, 2])
      XCTAssertEqual(answer.answer, "[1, 2]")
      XCTAssertEqual(level.get("a").outcome?.value, operation == 2 ? 5 : nil, "\(operation)")
      XCTAssertEqual(level.get("b").outcome?.value, operation == 4 ? nil : 2, "\(operation)")
    }
  }

  func testABatchThatNothingDisturbsIsStored() {
    let (level, origin) = (Cache<String, Int>.dictionary(), Origin<[String], [Int]>())
    let cache = level.batched() + origin.fetcher
    let answer = cache.get(["a", "b"])
    _ = cache.set(["c"], [3])
    origin.end([1, 2])
    XCTAssertEqual(answer.answer, "[1, 2]")
    XCTAssertEqual(["a", "b", "c"].map { level.get($0).outcome?.value }, [1, 2, 3])
    XCTAssertEqual(cache.get(["c", "a"]).answer, "[3, 1]")
  }

  func testATagIsRemovedDuringAReloadOfAnUpdatedCache() {
    let (level, origin) = (Level.dictionary(), Origin<String, Int>())
    let (tagged, tags) = level.tagged { _, _ in ["x"] }
    let cache = tagged.expiring(after: .seconds(60)).updating(from: origin.fetcher).cache
    let answer = cache.reloading.get("a")
    _ = tags.mark(["x"], .remove)
    origin.end(1)
    XCTAssertEqual(answer.answer, "1")
    XCTAssertNil(level.get("a").outcome?.value)
  }

  /// The expiration has read the value before the removal, and stores it after the removal.
  func testATagIsRemovedDuringAnExpiration() {
    let (marks, held) = (Cache<String, TagMark>.dictionary(), Lock<[@Sendable () -> Void]>([]))
    let holds = Lock(false)
    // The answers of reads arrive late, so the removal comes between the read of the value's marks
    // and the answer to it.
    let slow = Cache<String, TagMark>(
      keepsOrder: true,
      get: { key in
        let answer = marks.get(key)
        guard holds.withLock({ $0 }), key.hasPrefix("tag/") else { return answer }
        let late = Pending<TagMark>()
        held.withLock { $0.append { late.settle(answer.outcome ?? .cancelled) } }
        return late.promise
      }, set: marks.set, remove: marks.remove, clear: marks.clear)
    let (here, there) = (Tags(in: slow), Tags(in: marks))
    let level = Level.dictionary()
    let cache = level.tagged(by: here) { _, _ in ["x"] }.refreshing(
      Freshness(for: .seconds(60), staleIfError: .seconds(60)),
      from: Fetcher<String, Int> { _ in .miss })
    _ = there.mark(["y"], .remove)
    XCTAssertEqual(cache.set("a", 1).answer, "()")
    holds.withLock { $0 = true }
    let expiry = cache.operations.expire("a")
    XCTAssertEqual(held.withLock { $0.count }, 1, "The expiration reads the marks of the value.")
    XCTAssertEqual(there.mark(["x"], .remove).answer, "()")
    holds.withLock { $0 = false }
    for answer in held.withLock({ $0 }) { answer() }
    XCTAssertEqual(expiry.answer, "()")
    XCTAssertNil(cache.stored.get("a").outcome?.value)
  }
}
