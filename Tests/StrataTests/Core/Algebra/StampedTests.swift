import Foundation
import XCTest

@testable import StrataCore
@testable import StrataVerbs

final class StampedTests: XCTestCase {
  private let now = TimeSource.Instant(sinceEpoch: .seconds(1_000_000_000))

  func testAValueIsValidBeforeItsDeadlineAndNotAtIt() {
    let value = Stamped(1, storedAt: now, lasting: .seconds(10))
    XCTAssertTrue(value.isValid(at: now))
    XCTAssertTrue(value.isValid(at: now.advanced(by: .seconds(10) - .nanoseconds(1))))
    XCTAssertFalse(value.isValid(at: now.advanced(by: .seconds(10))))
    XCTAssertEqual(value.age(at: now.advanced(by: .seconds(3))), .seconds(3))
    XCTAssertTrue(
      Stamped(1, storedAt: now).isValid(at: now.advanced(by: .seconds(8_000_000_000))))
  }

  func testANonpositiveLifetimeIsNeverValidAndAHugeOneIsVeryLong() {
    for lifetime: Duration in [.zero, .nanoseconds(-1), .seconds(Int64.min), .most * -1] {
      XCTAssertFalse(Stamped(1, storedAt: now, lasting: lifetime).isValid(at: now))
    }
    for lifetime: Duration in [.seconds(Int64.max), .most] {
      let value = Stamped(1, storedAt: now, lasting: lifetime)
      XCTAssertTrue(value.isValid(at: now.advanced(by: .seconds(8_000_000_000))))
    }
    let far = TimeSource.Instant(sinceEpoch: .most)
    XCTAssertEqual(far.advanced(by: .most), far)
    XCTAssertEqual(far.advanced(by: .most * -1).sinceEpoch, .nanoseconds(-1))
    XCTAssertLessThan(far.duration(to: now), .seconds(-8_000_000_000))
    XCTAssertEqual(TimeSource.Instant(Date.distantFuture), TimeSource.Instant(.distantFuture))
    _ = Stamped(1, storedAt: far, lasting: .most).isValid(at: TimeSource.Instant(sinceEpoch: .zero))
  }

  func testAValueMoreThanAMinuteInTheFutureIsInvalid() {
    for (ahead, isValid) in [(Duration.seconds(60), true), (.seconds(60) + .nanoseconds(1), false)]
    {
      let value = Stamped(1, storedAt: now.advanced(by: ahead), lasting: .seconds(3600))
      XCTAssertEqual(value.isValid(at: now), isValid)
    }
  }

  func testADeadlineThatIsTooDistantIsNil() throws {
    let far = TimeSource.Instant(sinceEpoch: .most)
    XCTAssertNil(Stamped(1, storedAt: now, lasting: .most).expiresAt)
    XCTAssertEqual(Stamped(1, storedAt: now, expiresAt: far), Stamped(1, storedAt: now))
    let last = far.advanced(by: .nanoseconds(-1))
    XCTAssertEqual(Stamped(1, storedAt: now, expiresAt: last).expiresAt, last)
  }

  func testItIsEncodedWithItsDeadlineIfThereIsOne() throws {
    let coder = JSONEncoder()
    coder.outputFormatting = .sortedKeys
    let birth = String(data: try coder.encode(now), encoding: .utf8) ?? ""
    for (value, deadline) in [
      (Stamped(1, storedAt: now), ""),
      (Stamped(1, storedAt: now, expiresAt: now), "\"expiresAt\":\(birth),"),
    ] {
      let data = try coder.encode(value)
      let text = String(data: data, encoding: .utf8)
      XCTAssertEqual(text, "{\(deadline)\"storedAt\":\(birth),\"value\":1}")
      XCTAssertEqual(try JSONDecoder().decode(Stamped<Int>.self, from: data), value)
    }
  }

  func testAMappedValueHasTheSameAge() throws {
    let value = Stamped(1, storedAt: now, lasting: .seconds(1)).map { "\($0)" }
    XCTAssertEqual(value, Stamped("1", storedAt: now, lasting: .seconds(1)))
  }

  func testAManualClockTakesAnyDelay() {
    let (time, clock) = TimeSource.manual()
    time.after(.most) { XCTFail("it ran") }()
    clock.advance(by: .seconds(1))
  }
}

extension Duration {
  /// A duration near the maximum that `Duration` can represent.
  static var most: Duration { .seconds(Int64.max) * 18 }
}
