import Foundation
import XCTest

@testable import Strata

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

final class NetworkSessionTests: XCTestCase {
  func testNothingIsKeptOfAnAnswerButItsBody() throws {
    let given = URLSessionConfiguration.default
    given.httpAdditionalHeaders = ["X-Own": "kept"]
    given.timeoutIntervalForResource = 17
    let url = try XCTUnwrap(URL(string: "http://a.test/"))
    let own = NetworkSession(configuration: given).takeLane(for: url).urlSession.configuration
    XCTAssertNil(own.urlCache)
    XCTAssertNil(own.httpCookieStorage)
    XCTAssertNil(own.urlCredentialStorage)
    XCTAssertFalse(own.httpShouldSetCookies)
    XCTAssertEqual(own.requestCachePolicy, .reloadIgnoringLocalCacheData)
    XCTAssertTrue(own.httpAdditionalHeaders?.isEmpty ?? true, "They are added to each request.")
    XCTAssertEqual(own.timeoutIntervalForResource, 17)
    XCTAssertNotNil(given.httpAdditionalHeaders, "What was given is not changed.")
  }

  func testALaneIsTakenAgainByItsOriginAlone() throws {
    let (near, far) = (
      try XCTUnwrap(URL(string: "http://a.test/one")), try XCTUnwrap(URL(string: "http://b.test/"))
    )
    let session = NetworkSession()
    let lane = session.takeLane(for: near)
    session.keep(lane, for: near)
    XCTAssertFalse(session.takeLane(for: far) === lane)
    XCTAssertTrue(
      session.takeLane(for: try XCTUnwrap(URL(string: "http://A.test:80/two"))) === lane)
  }
}
