import XCTest

@testable import StrataCore
@testable import StrataVerbs

final class JitterTests: XCTestCase {
  private let (time, clock) = TimeSource.manual()
  private lazy var stamped: Cache<Int, Stamped<Int>> = .memory(clock: time)

  func testJitterShortensAndNeverLengthens() {
    let cache = stamped.clocked(by: time).expiring(after: .seconds(100), jitter: 0.2)
    let lives = (0..<1000).map { key -> Duration in
      _ = cache.set(key, key)
      let entry = stamped.get(key).outcome?.value
      return entry?.expiresAt.map { clock.now.duration(to: $0) } ?? .zero
    }
    XCTAssertTrue(lives.allSatisfy { (.seconds(80)...(.seconds(100))).contains($0) })
    XCTAssertGreaterThan(Set(lives).count, 900)
    XCTAssertTrue(lives.contains { $0 < .seconds(84) } && lives.contains { $0 > .seconds(96) })
  }

  func testTheFractionIsClamped() {
    XCTAssertEqual([-1, 0, 0.25, 1, 7, .nan].map { Jitter($0).fraction }, [0, 0, 0.25, 1, 1, 0])
  }

  func testTheSameTimeAndKeyGiveTheSameDurationAndZeroChangesNothing() {
    let now = time.now()
    let times = (0..<2).map { _ in Jitter(0.5).shortening(1_000_000, of: 7, at: now) }
    XCTAssertEqual(times[0], times[1])
    XCTAssertEqual(Jitter(0).shortening(1_000_000, of: 7, at: now), 1_000_000)
    XCTAssertEqual(Jitter(1).shortening(-5, of: 7, at: now), -5)
    for key in 0..<200 {
      XCTAssertGreaterThan(Jitter(1).shortening(.max, of: key, at: now), 0)
    }
  }
}
