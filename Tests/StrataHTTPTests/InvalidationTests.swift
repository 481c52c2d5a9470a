import XCTest

@testable import StrataCore
@testable import StrataHTTP
@testable import StrataNetwork

final class InvalidationTests: XCTestCase {
  private func urls(
    _ method: String, _ fields: HeaderFields = [:], status: Int = 200
  ) -> [String] {
    Invalidation.urls(.made(fields, status: status), to: .made(method: method))
      .map(\.absoluteString)
  }

  func testAnUnsafeMethodInvalidatesItsTarget() {
    for method in ["POST", "PUT", "DELETE", "PATCH", "M-SEARCH", "get"] {
      XCTAssertEqual(urls(method), ["http://example.com/page"], method)
    }
    for method in ["GET", "HEAD", "OPTIONS", "TRACE"] { XCTAssertEqual(urls(method), [], method) }
  }

  func testAFailureInvalidatesNothing() {
    for status in [400, 404, 500, 503] { XCTAssertEqual(urls("POST", status: status), []) }
    XCTAssertEqual(urls("POST", status: 303).count, 1)
  }

  func testLocationsOfTheSameOriginAreInvalidated() {
    XCTAssertEqual(
      urls("POST", ["Location": "/a", "Content-Location": "http://EXAMPLE.com:80/b"]),
      ["http://example.com/page", "http://example.com/a", "http://EXAMPLE.com:80/b"])
  }

  func testLocationsOfOtherOriginsAreNot() {
    for location in [
      "https://example.com/a", "http://example.com:81/a", "http://other.com/a", "//other.com/a",
      "mailto:a@b",
    ] { XCTAssertEqual(urls("POST", ["Location": location]).count, 1, location) }
  }
}
