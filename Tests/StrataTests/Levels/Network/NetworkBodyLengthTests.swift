import Foundation
import XCTest

@testable import Strata

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

final class NetworkBodyLengthTests: XCTestCase {
  private func response(_ headers: [String: String]) throws -> HTTPURLResponse {
    let url = try XCTUnwrap(URL(string: "http://a.test/"))
    return try XCTUnwrap(
      HTTPURLResponse(url: url, statusCode: 200, httpVersion: "HTTP/1.1", headerFields: headers))
  }

  func testALengthIsANumberOfDigitsAlone() throws {
    for (text, length) in [
      ("0", NetworkBodyLength.announced(0)), ("17", .announced(17)), (" 17 ", .announced(17)),
      ("17, 17", .announced(17)), ("17, 18", .conflicting("17, 18")),
      ("+17", .conflicting("+17")), ("-1", .conflicting("-1")), ("0x1", .conflicting("0x1")),
      ("99999999999999999999", .conflicting("99999999999999999999")),
      ("17,", .conflicting("17, ")),
    ] {
      XCTAssertEqual(NetworkBodyLength(of: try response(["CONTENT-length": text])), length, text)
    }
    XCTAssertEqual(NetworkBodyLength(of: try response([:])), .unknown)
  }

  func testTheLengthOfAnEncodedBodyIsOnlyThatOnTheWire() throws {
    for coding in ["gzip", "identity, br"] {
      let encoded = try response(["Content-Length": "17", "Content-Encoding": coding])
      XCTAssertEqual(NetworkBodyLength(of: encoded), .unknown, coding)
      XCTAssertEqual(NetworkBodyLength.onTheWire(encoded), 17)
    }
    let plain = try response(["Content-Length": "17", "Content-Encoding": "Identity"])
    XCTAssertEqual(NetworkBodyLength(of: plain), .announced(17))
  }
}
