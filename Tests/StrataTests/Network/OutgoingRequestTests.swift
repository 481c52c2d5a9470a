import Foundation
import Synchronization
import XCTest

@testable import StrataCore
@testable import StrataNetwork
@testable import StrataVerbs

final class OutgoingRequestTests: XCTestCase {
  private func request(_ url: String = "http://a.test/") throws -> URLRequest {
    URLRequest(url: try XCTUnwrap(URL(string: url)))
  }

  func testTheSessionsFieldsFillGaps() throws {
    var request = try request()
    request.setValue("own", forHTTPHeaderField: "X-A")
    let outgoing = try OutgoingRequest(
      request, sessionFields: ["x-a": "session", "X-B": "session"])
    XCTAssertEqual(outgoing.fields["X-A"], "own")
    XCTAssertEqual(outgoing.fields["X-B"], "session")
    XCTAssertEqual(outgoing.fields["User-Agent"], "Strata")
    XCTAssertEqual(outgoing.fields["Accept"], "*/*")
  }

  /// A response keeps the request without its body, which can be large.
  func testTheBodyOfARequestIsFreed() throws {
    let isFreed = Atomic(false)
    let pointer = UnsafeMutableRawPointer.allocate(byteCount: 1 << 20, alignment: 1)
    func kept() throws -> OutgoingRequest {
      var request = try self.request()
      request.httpMethod = "POST"
      request.httpBody = Data(
        bytesNoCopy: pointer, count: 1 << 20,
        deallocator: .custom { pointer, _ in
          pointer.deallocate()
          isFreed.store(true, ordering: .sequentiallyConsistent)
        })
      return try OutgoingRequest(request).withoutBody
    }
    let request = try kept()
    XCTAssertTrue(isFreed.load(ordering: .sequentiallyConsistent))
    XCTAssertNil(request.urlRequest.httpBody)
  }

  /// A request can't set the fields that describe the connection. With a wrong `Content-Length` or
  /// `Transfer-Encoding`, for example, the peer would split the message at the wrong byte.
  func testFieldsOfTheConnectionAreRemoved() throws {
    var request = try request()
    for name in ["Connection", "content-length", "Transfer-Encoding", "Upgrade", "TE", "Expect"] {
      request.setValue("1", forHTTPHeaderField: name)
    }
    let names = try OutgoingRequest(request).fields.map(\.name)
    XCTAssertEqual(Set(names), ["User-Agent", "Accept"])
  }

  func testCredentialsOfTheURLBecomeAField() throws {
    let outgoing = try OutgoingRequest(request("http://user:pass@a.test/b"))
    XCTAssertEqual(outgoing.url.absoluteString, "http://a.test/b")
    XCTAssertEqual(outgoing.fields["Authorization"], "Basic dXNlcjpwYXNz")
    var own = try request("http://user:pass@a.test/b")
    own.setValue("Bearer x", forHTTPHeaderField: "Authorization")
    XCTAssertEqual(try OutgoingRequest(own).fields["Authorization"], "Bearer x")
  }

  func testRequestsThatCantBeSentAreRefused() throws {
    XCTAssertThrowsError(try OutgoingRequest(request("ftp://a.test/")))
    var stream = try request()
    stream.httpBodyStream = InputStream(data: Data())
    XCTAssertThrowsError(try OutgoingRequest(stream))
    var method = try request()
    method.httpMethod = "GET /\r\nX: y"
    XCTAssertThrowsError(try OutgoingRequest(method))
    XCTAssertThrowsError(
      try OutgoingRequest(request(), sessionFields: ["X-A": "b\r\nX-C: d"]))
    XCTAssertThrowsError(try OutgoingRequest(request(), sessionFields: ["X A": "b"]))
  }

  func testIdempotentMethods() throws {
    var request = try request()
    for (method, isIdempotent) in [
      ("GET", true), ("PUT", true), ("DELETE", true), ("POST", false), ("PATCH", false),
      ("FETCH", false),
    ] {
      request.httpMethod = method
      XCTAssertEqual(try OutgoingRequest(request).isIdempotent, isIdempotent, method)
    }
  }
}
