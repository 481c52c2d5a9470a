import XCTest

@testable import StrataCore
@testable import StrataVerbs

final class BackoffTests: XCTestCase {
  func testDelaysGrowToTheLongest() {
    let backoff = Backoff.exponential(from: .seconds(1), by: 3, atMost: .seconds(10))
    XCTAssertEqual((1...5).map(backoff.delay), [1, 3, 9, 10, 10].map { .seconds($0) })
    XCTAssertEqual(backoff.delay(.max), .seconds(10))
    XCTAssertEqual(Backoff.exponential(from: .seconds(1)).delay(100), .seconds(60))
  }

  func testNoDelayIsLongerThanTheLongest() {
    for longest: Duration in [.milliseconds(1_100), .seconds(Int64.max)] {
      XCTAssertEqual(Backoff.exponential(from: longest, atMost: longest).delay(1), longest)
    }
  }

  func testAFactorOfLessThanOneCountsAsOne() {
    for factor in [0.5, 0, -1, .nan] {
      let backoff = Backoff.exponential(from: .seconds(1), by: factor)
      XCTAssertEqual([1, 2, 9].map(backoff.delay), Array(repeating: .seconds(1), count: 3))
    }
  }

  func testAZeroDelayStaysZero() {
    XCTAssertEqual(Backoff.exponential(from: .zero).delay(10_000), .zero)
    XCTAssertEqual(Backoff.constant(.seconds(2)).delay(3), .seconds(2))
  }

  func testJitterTakesAtMostItsFraction() {
    let constant = Backoff.constant(.seconds(8))
    func pause(_ share: Double, _ random: Double) -> Duration {
      constant.jittered(by: share, random: { random }).delay(1)
    }
    XCTAssertEqual(
      [pause(0.25, 0), pause(0.25, 1), pause(0.25, 0.5)], [.seconds(8), .seconds(6), .seconds(7)])
    XCTAssertEqual([pause(2, 1), pause(-1, 1), pause(.nan, 1)], [.zero, .seconds(8), .seconds(8)])
    let pauses = (1...200).map(constant.jittered().delay)
    XCTAssertTrue(pauses.allSatisfy { .seconds(4) <= $0 && $0 <= .seconds(8) })
    XCTAssertGreaterThan(Set(pauses).count, 1)
  }

  /// All delays up to the maximum have the same probability, so a delay of exactly zero is rare.
  func testJitterIsUniformByDefault() {
    let backoff = Backoff.constant(.seconds(8)).jittered(by: 1)
    let delays = (0..<1_000).map { _ in backoff.delay(1) }
    XCTAssertLessThan(delays.count { $0 == .zero }, 10)
    XCTAssertEqual(Double(delays.count { $0 < .seconds(2) }), 250, accuracy: 100)
  }

  func testNoArgumentTraps() {
    XCTAssertEqual(Backoff.exponential(from: .seconds(-2)).delay(70), .zero)
    XCTAssertEqual(Backoff.exponential(from: .seconds(1)).delay(.min), .seconds(1))
    let odd = Backoff.constant(.seconds(1)).jittered(random: { .nan })
    XCTAssertEqual(odd.delay(1), .seconds(1))
  }

  func testExtremeDurationsDoNotTrap() {
    let extremes = [Duration.seconds(Int64.max) * 18, .seconds(Int64.min) * 18, .zero]
    for first in extremes {
      for longest in extremes {
        for factor in [Double.nan, .infinity, -1, 0, 2, .greatestFiniteMagnitude] {
          let backoff = Backoff.exponential(from: first, by: factor, atMost: longest)
            .jittered(by: factor) { factor }
          for retry in [Int.min, -1, 0, 1, 2, Int.max] {
            XCTAssertGreaterThanOrEqual(backoff.delay(retry), .zero, "\(first) \(longest)")
          }
        }
        for chance in [0, 0.5, 1] { _ = Backoff.constant(first).jittered { chance }.delay(1) }
      }
    }
  }
}
