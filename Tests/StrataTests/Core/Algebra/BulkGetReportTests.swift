import XCTest

@testable import StrataCore
@testable import StrataVerbs

/// Checks that names, observers, and time limits keep the bulk get of a level.
final class BulkGetReportTests: XCTestCase {
  private let events = Journal<String>()
  private let calls = Journal<[Int]>()

  /// Returns a level whose bulk get begins the given parts.
  private func level(_ parts: [Promise<[Promise<Int>.Outcome]>]) -> Cache<Int, Int> {
    Cache(get: { _ in Promise(error: Broken.there) }, set: { _, _ in Promise() }).gettingMany(
      BulkGet { [calls] keys in
        calls.note(keys)
        return parts
      })
  }

  private func observe(_ cache: Cache<Int, Int>) -> Cache<Int, Int> {
    cache.observed { [events] event in
      events.note("\(event.stage) \(event.operation) \(event.key ?? "") \(event.outcome)")
    }
  }

  func testVerbsThatChangeNoGetKeepTheBulkGet() {
    let level = level([Promise([.success(10), .success(20)])])
    let caches = [
      level.named("a"), level.awaitedInSum(atMost: .seconds(1)), observe(level),
      observe(level.named("a")), level.named("a").awaitedInSum(atMost: .seconds(1)).named("b"),
    ]
    for cache in caches { XCTAssertEqual(cache.values(of: [1, 2]).text, "[10, 20]") }
    XCTAssertEqual(calls.entries, Array(repeating: [1, 2], count: caches.count))
  }

  func testEachKeyIsAnEventOfTheStage() {
    let level = level([Promise([.success(10), .failure(CacheError.notFound)])])
    XCTAssertEqual(observe(level.named("a")).known(of: [1, 2]).text, "[1: 10]")
    XCTAssertEqual(events.entries.map { $0.prefix(12) }, ["a get 1 succ", "a get 2 miss"])
  }

  func testPartsAreReportedInTheOrderOfTheKeys() {
    let (first, second) = (Later<[Promise<Int>.Outcome]>(), Later<[Promise<Int>.Outcome]>())
    let all = observe(level([first.promise, second.promise]).named("a")).values(of: [1, 2, 3])
    second.continuation.succeed([.success(30)])
    XCTAssertEqual(events.entries, [])
    first.continuation.succeed([.success(10), .success(20)])
    XCTAssertEqual(
      events.entries, ["a get 1 success", "a get 2 success", "a get 3 success"])
    XCTAssertEqual(all.text, "[10, 20, 30]")
  }

  func testAPartThatEndsWithoutOutcomesEndsAllKeysAfterIt() {
    let (first, second) = (Later<[Promise<Int>.Outcome]>(), Later<[Promise<Int>.Outcome]>())
    let all = observe(level([first.promise, second.promise]).named("a")).values(of: [1, 2])
    all.cancel()
    XCTAssertEqual([first.promise.text, second.promise.text], ["cancelled", "cancelled"])
    XCTAssertEqual(events.entries, ["a get 1 cancelled", "a get 2 cancelled"])
  }
}
