import Foundation
import Strata
import XCTest

final class NetworkResponseTests: XCTestCase {
  func testAResponseIsItsParts() throws {
    let url = try XCTUnwrap(URL(string: "http://a.test/"))
    let time = TimeSource.Instant(sinceEpoch: .seconds(9))
    let one = NetworkResponse(status: 200, url: url, requestTime: time, responseTime: time)
    var other = one
    XCTAssertEqual(one, other)
    other.fields["Age"] = "1"
    XCTAssertNotEqual(one, other)
    XCTAssertEqual(one.body, Data())
  }
}
