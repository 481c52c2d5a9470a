import Foundation
import XCTest

@testable import Strata

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

final class NetworkBodyTests: XCTestCase {
  private func response(
    _ status: Int = 200, _ headers: [String: String] = [:]
  ) throws -> HTTPURLResponse {
    let url = try XCTUnwrap(URL(string: "http://a.test/"))
    return try XCTUnwrap(
      HTTPURLResponse(url: url, statusCode: status, httpVersion: "HTTP/1.1", headerFields: headers))
  }

  private func text(_ reason: NetworkError.Reason?) -> String { reason.map { "\($0)" } ?? "none" }

  func testOnlyACompleteSuccessIsTaken() throws {
    for status in [200, 201, 299] {
      var body = NetworkBody(isHead: false)
      XCTAssertNil(body.begin(try response(status), maximumSize: 9))
    }
    for status in [204, 206, 300, 404, 500] {
      var body = NetworkBody(isHead: false)
      XCTAssertEqual(text(body.begin(try response(status), maximumSize: 9)), "status(\(status))")
      XCTAssertEqual(text(body.refusal(atEnd: try response(status))), "status(\(status))")
    }
  }

  func testAnInterimAnswerIsNotTheResponse() throws {
    var body = NetworkBody(isHead: false)
    XCTAssertNil(body.begin(try response(103), maximumSize: 9))
    XCTAssertNil(body.response)
    XCTAssertNil(body.begin(try response(200), maximumSize: 9))
    XCTAssertEqual(body.response?.statusCode, 200)
  }

  func testWhatIsNotHTTPIsRefused() {
    let other = URLResponse(
      url: URL(fileURLWithPath: "/"), mimeType: nil, expectedContentLength: 0, textEncodingName: nil
    )
    var body = NetworkBody(isHead: false)
    XCTAssertEqual(text(body.begin(other, maximumSize: 9)), "notHTTP")
    XCTAssertEqual(text(body.refusal(atEnd: nil)), "notHTTP")
  }

  func testWhatIsTooLongIsRefusedAnnouncedOrNot() throws {
    var body = NetworkBody(isHead: false)
    let announced = try response(200, ["Content-Length": "10"])
    XCTAssertEqual(text(body.begin(announced, maximumSize: 9)), "tooLarge(maximum: 9)")
    XCTAssertNil(body.append(Data(count: 5), maximumSize: 9))
    XCTAssertEqual(text(body.append(Data(count: 5), maximumSize: 9)), "tooLarge(maximum: 9)")
    XCTAssertNil(body.append(Data(count: 4), maximumSize: 9))
    XCTAssertEqual(body.data.count, 9)
    var head = NetworkBody(isHead: true)
    XCTAssertNil(head.begin(announced, maximumSize: 9))
    XCTAssertNil(head.refusal(atEnd: announced))
  }

  func testABodyIsAsLongAsItWasAnnounced() throws {
    var body = NetworkBody(isHead: false)
    XCTAssertNil(body.append(Data(count: 3), maximumSize: 9))
    XCTAssertNil(body.refusal(atEnd: try response(200, ["Content-Length": "3"])))
    XCTAssertNil(body.refusal(atEnd: try response(200)))
    XCTAssertEqual(
      text(body.refusal(atEnd: try response(200, ["Content-Length": "4"]))),
      "incompleteBody(received: 3, announced: 4)")
    XCTAssertEqual(
      text(body.refusal(atEnd: try response(200, ["Content-Length": "3, 4"]))),
      "conflictingLengths(\"3, 4\")")
  }
}
