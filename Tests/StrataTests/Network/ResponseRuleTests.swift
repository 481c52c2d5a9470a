import Foundation
import XCTest

@testable import StrataCore
@testable import StrataNetwork
@testable import StrataVerbs

final class ResponseRuleTests: NetworkCase {
  private func response(_ status: Int, _ fields: HeaderFields = [:]) throws -> NetworkResponse {
    let time = TimeSource.Instant(sinceEpoch: .zero)
    return NetworkResponse(
      status: status, fields: fields, body: Data("x".utf8),
      url: try XCTUnwrap(URL(string: "http://a.test/")), requestTime: time, responseTime: time)
  }

  func testOnlyCompleteSuccessesAreValues() throws {
    for status in [200, 201, 203, 226, 299] {
      XCTAssertEqual(try ResponseRule.success.value(response(status)), Data("x".utf8))
    }
    for status in [204, 206, 300, 304, 400, 404, 500] {
      XCTAssertThrowsError(try ResponseRule.success.value(response(status))) { error in
        XCTAssertEqual((error as? NetworkError)?.status, status)
        XCTAssertEqual(error.isMiss, status == 404)
      }
    }
  }

  func testAnEncodedBodyIsNotAValue() throws {
    let encoded = try response(200, ["Content-Encoding": "br"])
    XCTAssertThrowsError(try ResponseRule.success.value(encoded))
    XCTAssertNoThrow(
      try ResponseRule.success.value(response(200, ["Content-Encoding": "identity"])))
    XCTAssertEqual(try ResponseRule.any.value(encoded), encoded)
  }

  func testAnyoneCanWriteARule() async throws {
    let origin = try LoopbackOrigin { request in
      .respond(status: Int(request.path.dropFirst()) ?? 200, body: "body")
    }
    defer { origin.stop() }
    let rule = ResponseRule<String> { response in
      guard response.status != 403 else { throw CacheError.notFound }
      return "\(response.status) \(String(decoding: response.body, as: UTF8.self))"
    }
    let texts: Fetcher<URL, String> = .network(accepting: rule)
    let teapot = try await texts.value(for: origin.url("/418"))
    XCTAssertEqual(teapot, "418 body")
    let forbidden = try await texts.findValue(for: origin.url("/403"))
    XCTAssertNil(forbidden)
  }
}
