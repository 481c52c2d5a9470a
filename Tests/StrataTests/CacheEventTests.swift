import XCTest

@testable import Strata

final class CacheEventTests: XCTestCase {
  private struct Broken: Error {}

  private func text(
    _ operation: CacheEvent.Operation, _ outcome: CacheEvent.Outcome, key: (any Sendable)? = nil
  ) -> String {
    CacheEvent(
      stage: "disk", operation: operation, key: key, outcome: outcome,
      duration: .microseconds(1250)
    ).description
  }

  func testAnEventReadsAsOneLine() {
    XCTAssertEqual(text(.get, .success), "disk: get hit in 1.3 ms")
    XCTAssertEqual(text(.get, .miss(CacheError.notFound)), "disk: get miss in 1.3 ms")
    XCTAssertEqual(text(.set, .success), "disk: set done in 1.3 ms")
    XCTAssertEqual(text(.set, .cancelled), "disk: set cancelled in 1.3 ms")
    XCTAssertEqual(text(.backFill, .failure(Broken())), "disk: backFill failed: Broken() in 1.3 ms")
  }

  func testAKeyIsNeverShown() {
    XCTAssertFalse(text(.get, .success, key: "secret").contains("secret"))
  }

  func testDurationsHaveTheLargestUnitThatFits() {
    let spans: [Duration] = [
      .seconds(90), .milliseconds(1500), .milliseconds(2), .nanoseconds(4567), .nanoseconds(12),
      .zero,
    ]
    XCTAssertEqual(
      spans.map(\.formattedShort), ["90.0 s", "1.5 s", "2.0 ms", "4.6 us", "12.0 ns", "0.0 ns"])
  }
}
