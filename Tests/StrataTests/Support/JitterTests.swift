import XCTest

@testable import Strata

final class JitterTests: XCTestCase {
  private let (time, clock) = TimeSource.manual()
  private lazy var stamped: Cache<Int, Stamped<Int>> = .memory(on: time)

  func testJitterShortensAndNeverLengthens() {
    let cache = stamped.expiring(after: .seconds(100), jitter: 0.2, on: time)
    let lives = (0..<1000).map { key -> Duration in
      cache.set(key, for: key)
      let entry = stamped.get(key).outcome?.value
      return entry?.expiresAt.map { clock.now.duration(to: $0) } ?? .zero
    }
    XCTAssertTrue(lives.allSatisfy { (.seconds(80)...(.seconds(100))).contains($0) })
    XCTAssertGreaterThan(Set(lives).count, 900)
    XCTAssertTrue(lives.contains { $0 < .seconds(84) } && lives.contains { $0 > .seconds(96) })
  }
}
