import StrataLaws
import XCTest

@testable import StrataCore
@testable import StrataNetwork
@testable import StrataVerbs

final class RememberingMissesTests: XCTestCase {
  private let (time, clock) = TimeSource.manual()
  private let origin = ScriptedLevel(
    0, LevelScript(getFaults: [2: .failure, 3: .miss, 4: .cancellation]))
  private lazy var cache = origin.cache.rememberingMisses(for: .seconds(30), clock: time)

  func testAMissIsRememberedWithItsErrorAndForItsTime() {
    let error = cache.get(3).answer
    XCTAssertTrue(error.hasPrefix("ScriptError"))
    clock.advance(by: .milliseconds(29_999))
    XCTAssertEqual([cache.get(3).answer, cache.get(3).answer], [error, error])
    XCTAssertEqual(origin.events, ["get 3"])
    clock.advance(by: .milliseconds(1))
    XCTAssertEqual(cache.get(3).answer, error)
    XCTAssertEqual(origin.events, ["get 3", "get 3"])
  }

  func testFailuresAndCancellationsAreNotRememberedUnlessAskedFor() {
    for _ in 0..<2 { for key in [2, 4] { _ = cache.get(key) } }
    XCTAssertEqual(origin.events, ["get 2", "get 4", "get 2", "get 4"])
    let all = origin.cache.rememberingMisses(for: .seconds(30), clock: time, where: { _ in true })
    for _ in 0..<2 { for key in [2, 4] { _ = all.get(key) } }
    XCTAssertEqual(Array(origin.events.dropFirst(4)), ["get 2", "get 4", "get 4"])
  }

  func testAGetThatAConditionRejectedIsNotRemembered() {
    let isOnline = Lock(false)
    let cache = origin.cache.conditioned { _ in isOnline.withLock { $0 } }
      .rememberingMisses(for: .seconds(30), clock: time)
    _ = origin.cache.set(0, 7)
    XCTAssertTrue(cache.get(0).answer.contains("condition not satisfied"))
    isOnline.withLock { $0 = true }
    XCTAssertEqual(cache.get(0).answer, "7")
  }

  func testAMissOfTheNetworkIsRemembered() throws {
    let gone = NetworkError(.status(410), url: URL(fileURLWithPath: "/"))
    let asked = Lock(0)
    let fetcher = Fetcher<Int, Int>(offMainThread: false) { _ in
      asked.withLock { $0 += 1 }
      throw gone
    }.rememberingMisses(for: .seconds(30), clock: time)
    for _ in 0..<3 {
      XCTAssertTrue(fetcher.get(0).outcome?.error?.isMiss == true)
    }
    XCTAssertEqual(asked.withLock { $0 }, 1)
  }

  func testASetEndsAMiss() {
    XCTAssertEqual(cache.get(0).answer, "not found")
    _ = cache.set(0, 5)
    XCTAssertEqual(cache.get(0).answer, "5")
  }

  func testAWriteOfTheCacheMadeOfAFetcherEndsAMiss() {
    let pages = .memory() + origin.cache.fetcher.rememberingMisses(for: .seconds(30), clock: time)
    for write in [{ pages.set(0, 5) }, { pages.remove(0) }, { pages.clear() }] {
      _ = pages.get(0)
      XCTAssertEqual(write().answer, "()")
      pages.memoryWarning()
    }
    XCTAssertEqual(pages.get(0).answer, "not found")
    XCTAssertEqual(pages.get(0).answer, "not found")
    XCTAssertEqual(origin.events, ["get 0", "get 0", "get 0", "get 0"].map { $0 })
  }

  func testAtMostTheCapacityIsRemembered() {
    let empty = ScriptedLevel(0, LevelScript())
    let cache = empty.cache.rememberingMisses(for: .seconds(30), capacity: 100, clock: time)
    for key in 0..<1000 { _ = cache.get(key) }
    for key in 900..<1000 { _ = cache.get(key) }
    XCTAssertEqual(empty.events.count, 1000)
    _ = cache.get(899)
    XCTAssertEqual(empty.events.count, 1001)
    for capacity in [0, -1] {
      let none = empty.cache.rememberingMisses(for: .seconds(30), capacity: capacity, clock: time)
      for _ in 0..<2 { _ = none.get(0) }
    }
    let never = empty.cache.rememberingMisses(for: .most * -1, clock: time)
    for _ in 0..<2 { _ = never.get(0) }
    XCTAssertEqual(empty.events.count, 1007)
    XCTAssertEqual("\(cache.plan)", "cache.rememberingMisses(for: 30 s)")
  }

  func testKeysWithOneHashAreDistinct() {
    struct Key: Hashable {
      let name: Int
      func hash(into hasher: inout Hasher) { hasher.combine(0) }
    }
    let named = ({ (key: Key) in key.name } <^> origin.cache)
      .rememberingMisses(for: .seconds(30), clock: time)
    _ = origin.cache.set(1, 7)
    XCTAssertEqual(named.get(Key(name: 0)).answer, "not found")
    XCTAssertEqual(named.get(Key(name: 1)).answer, "7")
  }

  func testAMissThatAWriteHasEndedTakesNoCapacity() {
    let cache = origin.cache.rememberingMisses(for: .seconds(30), capacity: 2, clock: time)
    for key in [0, 1] { _ = cache.get(key) }
    _ = cache.remove(1)
    for key in [5, 0, 5] { _ = cache.get(key) }
    XCTAssertEqual(origin.events, ["get 0", "get 1", "remove 1", "get 5"])
  }

  func testTheLevelBelowForgetsFirst() {
    let (asked, meanwhile) = (Lock(0), Lock<(@Sendable () -> Void)?>(nil))
    let memory = Cache<Int, Int>.memory(capacity: 10)
    let beneath = Fetcher<Int, Int>(
      get: { _ in
        asked.withLock { $0 += 1 }
        return memory.get(0)
      },
      forget: { _ in
        meanwhile.withLock { $0 }?()  // Begins a get before the lower level removes the key.
        _ = memory.set(0, 7)
      }, plan: .level("fetcher", .origin))
    let pages = beneath.rememberingMisses(for: .seconds(30), clock: time).mapValues { $0 }
    meanwhile.withLock { $0 = { XCTAssertEqual(pages.get(0).answer, "not found") } }
    _ = pages.remove(0)
    XCTAssertEqual(pages.get(0).answer, "7")
  }

  /// A write reaches every `pooled` and `rememberingMisses` verb above an origin, even if the
  /// values are mapped.
  func testAWriteToAMappedOriginForgetsInEachVerb() {
    let (calls, slow) = (Lock(0), Pending<Int>())
    let origin = Fetcher<Int, Int> { _ -> Promise<Int> in
      let call = calls.withLock { calls in
        calls += 1
        return calls
      }
      return call == 2 ? slow.promise : Promise(error: CacheError.notFound)
    }
    let pages = origin.pooled().pooled().rememberingMisses(for: .seconds(30), clock: time)
      .rememberingMisses(for: .seconds(30), clock: time).mapValues { $0 }
    for expected in [1, 2, 3] {
      _ = (pages.get(0), pages.get(0))
      XCTAssertEqual(calls.withLock { $0 }, expected)
      _ = pages.set(0, 7)
    }
  }
}
