import Foundation
import XCTest

@testable import StrataCore
@testable import StrataVerbs

/// The stale windows of a value begin once: with the first expiration after the value was stored.
final class StaleSinceTests: XCTestCase {
  private typealias Level = Cache<Int, Stamped<Int>>

  private let (time, clock) = TimeSource.manual()
  private let isDown = Lock(false)
  private let freshness = Freshness(for: .seconds(60), staleIfError: .seconds(30), pause: .zero)

  private var origin: Fetcher<Int, Int> {
    Cache { [isDown] _ in isDown.withLock { $0 } ? Promise(error: URLError(.timedOut)) : Promise(1)
    }
  }

  /// Whether a get finds the value while the origin is down.
  private func hasFallback(_ cache: Cache<Int, Int>) -> Bool {
    isDown.withLock { $0 = true }
    defer { isDown.withLock { $0 = false } }
    return cache.get(1).outcome?.value != nil
  }

  private func check(_ cache: Cache<Int, Int>, _ expire: () -> Promise<Void>) {
    XCTAssertEqual(cache.get(1).answer, "1")
    clock.advance(by: .seconds(10))
    for _ in 0..<3 {  // At 10, 20, and 30 seconds.
      XCTAssertEqual(expire().answer, "()")
      clock.advance(by: .seconds(10))
    }
    clock.advance(by: .nanoseconds(-1))
    XCTAssertTrue(hasFallback(cache), "The window lasts 30 seconds.")
    clock.advance(by: .nanoseconds(1))
    XCTAssertFalse(hasFallback(cache), "The later expirations don't prolong it.")
    XCTAssertEqual(cache.set(1, 2).answer, "()")
    XCTAssertEqual(expire().answer, "()")
    clock.advance(by: .seconds(29))
    XCTAssertTrue(hasFallback(cache), "The set has ended the window, so another one begins.")
    clock.advance(by: .seconds(1))
    XCTAssertFalse(hasFallback(cache))
  }

  func testTheExpirationOfAKeyRepeated() {
    let cache = Level.dictionary().clocked(by: time).refreshing(freshness, from: origin)
    check(cache) { cache.operations.expire(1) }
  }

  func testTheExpirationOfAllKeysRepeated() {
    let cache = Level.dictionary().clocked(by: time).refreshing(freshness, from: origin)
    check(cache) { cache.operations.expire(nil) }
  }

  func testTheExpirationOfATagRepeated() {
    let (tagged, tags) = Level.dictionary().clocked(by: time).tagged { _, _ in ["x"] }
    check(tagged.refreshing(freshness, from: origin)) { tags.mark(["x"], .expire) }
  }

  func testTheExpirationOfASharedTagRepeated() {
    let tags = Tags(in: .dictionary(), clockDifference: .zero, clock: time)
    let cache = Level.dictionary().clocked(by: time).tagged(by: tags) { _, _ in ["x"] }
      .refreshing(freshness, from: origin)
    check(cache) { tags.mark(["x"], .expire) }
  }

  func testDifferentExpirationsOfOneValue() {
    let (tagged, tags) = Level.dictionary().clocked(by: time).tagged { _, _ in ["x", "y"] }
    let cache = tagged.refreshing(freshness, from: origin)
    let ways: [() -> Promise<Void>] = [
      { cache.operations.expire(1) }, { cache.operations.expire(nil) },
      { tags.mark(["x"], .expire) }, { tags.mark(["y"], .expire) },
    ]
    for first in ways.indices {
      for second in ways.indices where second != first {
        XCTAssertEqual(cache.set(1, 1).answer, "()")
        _ = ways[first]()
        clock.advance(by: .seconds(20))
        _ = ways[second]()
        clock.advance(by: .seconds(9))
        XCTAssertTrue(hasFallback(cache), "\(first) \(second)")
        clock.advance(by: .seconds(1))
        XCTAssertFalse(hasFallback(cache), "\(first) \(second)")
        clock.advance(by: .seconds(100))
      }
    }
  }

  /// A value that is old enough to be refreshed in the background isn't stale yet.
  func testAValueThatIsRefreshedEarlyExpires() {
    let early = Freshness(for: .seconds(60), refreshingAfter: 0.5)
    let numbers = Lock(0)
    let cache = Level.dictionary().clocked(by: time).refreshing(
      early,
      from: Cache { _ in
        Promise(
          numbers.withLock { number in
            number += 1
            return number
          })
      })
    XCTAssertEqual(cache.get(1).answer, "1")
    clock.advance(by: .seconds(40))
    XCTAssertEqual(cache.operations.expire(1).answer, "()")
    XCTAssertEqual(cache.get(1).answer, "2")
  }

  func testAMarkIsReadAsItWasWritten() throws {
    var mark = TagMark()
    for second in 1...20 {
      let now = TimeSource.Instant(sinceEpoch: .seconds(second))
      mark.add(.expire, at: now.advanced(by: .seconds(5)), now: now)
    }
    let read = try JSONDecoder().decode(TagMark.self, from: JSONEncoder().encode(mark))
    XCTAssertEqual(read, mark)
    XCTAssertEqual(
      read.verdict(of: TimeSource.Instant(sinceEpoch: .seconds(24))),
      .stale(since: TimeSource.Instant(sinceEpoch: .seconds(19))))
  }
}
