import Foundation
import XCTest

@testable import StrataCore
@testable import StrataNetwork

final class BodyCodingTests: XCTestCase {
  private func codings(_ values: String..., status: Int = 200) -> [BodyCoding] {
    let fields = values.map { HeaderFields.Field(name: "Content-Encoding", value: $0) }
    return BodyCoding.known(of: ResponseHead(status: status, fields: HeaderFields(fields)))
  }

  func testCodingsAreInTheOrderOfTheirApplication() {
    XCTAssertEqual(codings("deflate, GZIP", "identity", "x-gzip"), [.deflate, .gzip, .gzip])
    XCTAssertEqual(codings(), [])
  }

  func testABodyWithAnUnknownCodingStaysEncoded() {
    XCTAssertEqual(codings("br"), [])
    XCTAssertEqual(codings("gzip, br"), [])
  }

  func testAPartStaysEncoded() {
    XCTAssertEqual(codings("gzip", status: 206), [])
  }

  func testARequestForARangeAcceptsNoCoding() throws {
    var request = try OutgoingRequest(
      URLRequest(url: XCTUnwrap(URL(string: "http://a.test/"))))
    XCTAssertEqual(BodyCoding.accepted(by: request, canDecode: true), "gzip, deflate")
    XCTAssertEqual(BodyCoding.accepted(by: request, canDecode: false), "identity")
    request.fields["Range"] = "bytes=0-1"
    XCTAssertEqual(BodyCoding.accepted(by: request, canDecode: true), "identity")
  }
}
