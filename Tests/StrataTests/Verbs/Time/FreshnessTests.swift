import XCTest

@testable import StrataCore
@testable import StrataVerbs

final class FreshnessTests: XCTestCase {
  private let now = TimeSource.Instant(sinceEpoch: .seconds(1_000_000_000))
  private let news = Freshness(
    for: .seconds(60), staleWhileRevalidate: .seconds(10), staleIfError: .seconds(30))

  private func stages(
    _ freshness: Freshness, _ stamped: Stamped<Int>, _ seconds: [Int]
  ) -> [Freshness.Stage] {
    seconds.map { freshness.stage(of: stamped, at: now.advanced(by: .seconds($0))) }
  }

  func testBothWindowsBeginWhereFreshnessEnds() {
    XCTAssertEqual(
      stages(news, Stamped(1, storedAt: now), [0, 59, 60, 69, 70, 89, 90]),
      [.fresh, .fresh, .stale, .stale, .staleOnError, .staleOnError, .expired])
  }

  func testAStampEndsWithTheLongerWindow() {
    XCTAssertEqual(news.stamp(1, at: now).deadline, now.advanced(by: .seconds(90)))
    let quick = Freshness(
      for: .seconds(60), staleWhileRevalidate: .seconds(30), staleIfError: .seconds(10))
    XCTAssertEqual(quick.stamp(1, at: now).deadline, now.advanced(by: .seconds(90)))
    XCTAssertEqual(
      Freshness(for: .seconds(60)).stamp(1, at: now).deadline, now.advanced(by: .seconds(60)))
  }

  func testAnEarlierDeadlineEndsFreshnessButNotTheLaterWindows() {
    let early = Stamped(1, storedAt: now, lasting: .seconds(20))
    XCTAssertEqual(
      stages(news, early, [19, 20, 29, 30, 49, 50]),
      [.fresh, .stale, .stale, .staleOnError, .staleOnError, .expired])
    let late = Stamped(1, storedAt: now, lasting: .seconds(3600))
    XCTAssertEqual(stages(news, late, [59, 60]), [.fresh, .stale])
  }

  func testExtremeTimesDoNotTrap() {
    let none = Freshness(
      for: .most * -1, staleWhileRevalidate: .most * -1, staleIfError: .seconds(-1), jitter: .nan)
    XCTAssertEqual(stages(none, Stamped(1, storedAt: now), [0, 1]), [.expired, .expired])
    let all = Freshness(for: .most, staleWhileRevalidate: .most, staleIfError: .most, jitter: 7)
    XCTAssertEqual(stages(all, Stamped(1, storedAt: now), [0, 1 << 32]), [.fresh, .fresh])
    XCTAssertEqual(all.jitter, 1)
    XCTAssertEqual(all.stamp(1, at: now).storedAt, now)
    let future = Stamped(1, storedAt: now.advanced(by: .seconds(61)))
    XCTAssertEqual(stages(all, future, [0, 1]), [.expired, .fresh])
  }

  func testJitterShortensFreshnessByAFractionForEachKeyAndCreationTime() {
    let freshness = Freshness(for: .seconds(100), jitter: 0.1)
    let lives = (0..<1000).map { freshness.lifetime(of: $0.hashValue, Stamped(1, storedAt: now)) }
    XCTAssertTrue(lives.allSatisfy { (90_000_000_000...100_000_000_000).contains($0) })
    XCTAssertGreaterThan(Set(lives).count, 900)
    XCTAssertEqual(
      lives, (0..<1000).map { freshness.lifetime(of: $0.hashValue, Stamped(1, storedAt: now)) })
    XCTAssertNotEqual(
      lives[0],
      freshness.lifetime(
        of: 0.hashValue, Stamped(1, storedAt: now.advanced(by: .seconds(1)))))
  }

  func testFreshnessIsEqualIfAllItsPropertiesAre() {
    let one = Freshness(
      for: .seconds(60), staleWhileRevalidate: .seconds(10), staleIfError: .seconds(30),
      jitter: 0.1, timeout: .seconds(5))
    func other(_ seconds: [Int], _ jitter: Double = 0.1) -> Freshness {
      Freshness(
        for: .seconds(seconds[0]), staleWhileRevalidate: .seconds(seconds[1]),
        staleIfError: .seconds(seconds[2]), jitter: jitter, timeout: .seconds(seconds[3]))
    }
    XCTAssertEqual(one, other([60, 10, 30, 5]))
    for seconds in [[61, 10, 30, 5], [60, 11, 30, 5], [60, 10, 31, 5], [60, 10, 30, 6]] {
      XCTAssertNotEqual(one, other(seconds))
    }
    XCTAssertNotEqual(one, other([60, 10, 30, 5], 0.2))
    // Nanoseconds in 64 bits can't distinguish these lifetimes.
    XCTAssertNotEqual(
      Freshness(for: .seconds(10_000_000_000)), Freshness(for: .seconds(20_000_000_000)))
    XCTAssertNotEqual(Freshness(for: .nanoseconds(1) / 2), Freshness(for: .zero))
  }

  func testEachValueHasItsOwnLifetime() throws {
    let ((time, clock), loads) = (TimeSource.manual(), Lock(0))
    let stamped: Cache<Int, Stamped<Int>> = .memory(clock: time)
    let cache = stamped.refreshing(
      from: Fetcher<Int, Int> { key in
        loads.withLock { $0 += 1 }
        return key
      }
    ) { key, value in Freshness(for: .seconds(key * value), staleIfError: .seconds(key)) }
    for key in [1, 3] { XCTAssertEqual(try cache.get(key).wait(), key) }
    for (pause, key, count) in [(1.0, 3, 2), (0, 1, 3), (7.5, 3, 3), (0.5, 3, 4)] {
      clock.advance(by: .seconds(pause))
      XCTAssertEqual(try cache.get(key).wait(), key)
      XCTAssertEqual(loads.withLock { $0 }, count)
    }
    XCTAssertEqual(stamped.get(3).outcome?.value?.expiresAt, clock.now.advanced(by: .seconds(12)))
    XCTAssertTrue(cache.plan.description.contains("refreshing(each, from: "), "\(cache.plan)")
  }
}
