import Foundation
import XCTest

@testable import StrataCore
@testable import StrataVerbs

final class FormattersTests: XCTestCase {
  private var days: Codec<String, Date> {
    let formatter = DateFormatter()
    formatter.locale = Locale(identifier: "en_US_POSIX")
    formatter.timeZone = TimeZone(secondsFromGMT: 0)
    formatter.dateFormat = "yyyy-MM-dd"
    return .date(formatter)
  }

  private func numbers(_ limit: (NumberFormatter) -> Void) -> Codec<String, Double> {
    let formatter = NumberFormatter()
    formatter.locale = Locale(identifier: "en_US_POSIX")
    formatter.numberStyle = .decimal
    limit(formatter)
    return .number(formatter)
  }

  func testDatesBothWays() {  // T55
    let date = Date(timeIntervalSince1970: 86_400 * 365)
    XCTAssertEqual(days.encode(date).outcome?.value, "1971-01-01")
    XCTAssertEqual(days.decode("1971-01-01").outcome?.value, date)
  }

  func testTextThatIsNotADateFailsWithItsBeginning() {  // T55
    XCTAssertEqual(
      days.decode("yesterday").outcome?.error as? CacheError,
      .undecodable(by: "date", reason: "\"yesterday\" is not a date"))
    let marks = "e" + String(repeating: "\u{301}", count: 100_000)
    guard case .undecodable(_, let reason)? = days.decode(marks).outcome?.error as? CacheError
    else { return XCTFail("decoded") }
    XCTAssertLessThanOrEqual(reason.utf8.count, 800)
  }

  // Each limit needs a separate formatter, because on Linux, a formatter with both limits ignores
  // both limits.
  func testTheLimitsOfTheFormatterApply() {  // T55
    let (most, least) = (
      numbers { $0.maximumFractionDigits = 4 }, numbers { $0.minimumFractionDigits = 2 }
    )
    XCTAssertEqual(
      [10.1203, 0.123456].map { most.encode($0).outcome?.value }, ["10.1203", "0.1235"])
    XCTAssertEqual([10, 10.5].map { least.encode($0).outcome?.value }, ["10.00", "10.50"])
    XCTAssertEqual(most.decode("10.1203").outcome?.value, 10.1203)
  }

  func testTextThatIsNotANumberFails() {  // T55
    XCTAssertEqual(
      numbers { _ in }.decode("many").outcome?.error as? CacheError,
      .undecodable(by: "number", reason: "\"many\" is not a number"))
  }

  func testDatesRoundTripThroughALevel() {
    let cache: Cache<String, Date> = Cache<String, Data>.dictionary() <*> .utf8 >>> days
    _ = cache.set("a", Date(timeIntervalSince1970: 0))
    XCTAssertEqual(cache.get("a").outcome?.value, Date(timeIntervalSince1970: 0))
    XCTAssertEqual(cache.plan.description, "dictionary <*> utf8 >>> date")
  }

  func testANumberThatDoesNotRoundTripIsNotEncoded() {
    let codec: Codec<String, Double> = .number(NumberFormatter())
    for number in [Double.nan, .infinity, 1e308] {
      guard case .unencodable? = codec.encode(number).outcome?.error as? CacheError else {
        XCTFail("\(number)")
        continue
      }
    }
  }

  func testADateOutsideOfTheCalendarIsAnError() {
    let codec = Codec<String, Date>.date(DateFormatter())
    for seconds in [Double.nan, .infinity, -.infinity, 1e300, -1e15] {
      let answer = codec.encode(Date(timeIntervalSince1970: seconds)).answer
      XCTAssertTrue(answer.contains("unencodable"), answer)
    }
  }

  func testADateThatIsTooFarAwayIsAnError() {
    for seconds in [1e12, -1e12, .infinity] {
      guard
        case .unencodable(by: "date", _)? =
          days.encode(Date(timeIntervalSince1970: seconds)).outcome?.error as? CacheError
      else { return XCTFail("\(seconds)") }
    }
  }
}
