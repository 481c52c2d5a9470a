import XCTest

@testable import StrataCore
@testable import StrataVerbs

final class StampedCodecTests: XCTestCase {
  private let stamped = Codec<Stamped<Int>, Stamped<Int>>.stamped(Codec<Int, Int>.fragile)
  private let now = TimeSource.Instant(sinceEpoch: .seconds(5))

  func testTheValueIsReadAndWrittenAndItsStampsStay() {
    let stored = Stamped(3, storedAt: now, lasting: .seconds(7))
    let value = Stamped(13, storedAt: now, lasting: .seconds(7))
    XCTAssertEqual(stamped.decode(stored).outcome?.value, value)
    XCTAssertEqual(stamped.encode(value).outcome?.value, stored)
    let endless = Stamped(3, storedAt: now)
    XCTAssertEqual(stamped.decode(endless).outcome?.value, Stamped(13, storedAt: now))
  }

  func testAValueThatCannotBeReadOrWrittenFails() {
    XCTAssertTrue(undecodable(stamped, Stamped(1, storedAt: now)))
    XCTAssertEqual(
      stamped.encode(Stamped(12, storedAt: now)).outcome?.error as? CacheError,
      .unencodable(by: "fragile", reason: "12"))
    XCTAssertEqual(stamped.label, "stamped(codec)")
  }
}
