import Foundation
import XCTest

@testable import StrataCore
@testable import StrataNetwork
@testable import StrataVerbs

/// Tests the targets of redirects, and the fields of redirected requests.
final class NetworkRedirectTests: NetworkCase {
  /// Returns an origin that redirects each path to the target that the closure returns. If the
  /// closure returns `nil`, the origin doesn't redirect, and the response body is the requested
  /// path.
  private func origin(
    status: Int = 302, to target: @escaping @Sendable (String) -> String?
  ) throws -> LoopbackOrigin {
    try LoopbackOrigin { request in
      guard let location = target(request.path) else { return .respond(body: request.path) }
      return .respond(status: status, headers: ["Location": location], body: "gone")
    }
  }

  func testRedirectsAreFollowed() async throws {
    try await onEachTransport {
      for status in [301, 302, 303, 307, 308] {
        let origin = try origin(status: status) { $0 == "/a/b" ? "c?x=%20" : nil }
        defer { origin.stop() }
        let result = await value(of: URLRequest(url: origin.url("/a/b")))
        XCTAssertEqual(result.text, "/a/c?x=%20", "\(status)")
      }
    }
  }

  func testTenRedirectsAreFollowedAndElevenAreNot() async throws {
    try await onEachTransport {
      let origin = try origin { path in
        let count = Int(path.dropFirst()) ?? 0
        return count > 0 ? "/\(count - 1)" : nil
      }
      defer { origin.stop() }
      let ten = await value(of: URLRequest(url: origin.url("/10")))
      XCTAssertEqual(ten.text, "/0")
      let eleven = await value(of: URLRequest(url: origin.url("/11")))
      XCTAssertEqual(eleven.kind, "tooManyRedirects")
      XCTAssertEqual(origin.requests.count, 22)
    }
  }

  func testTheDefaultMaximumIsTenRedirects() async throws {
    let origin = try origin { path in
      let count = Int(path.dropFirst()) ?? 0
      return count > 0 ? "/\(count - 1)" : nil
    }
    defer { origin.stop() }
    let network: Fetcher<URL, Data> = .network()
    let responses: Fetcher<URLRequest, NetworkResponse> = .responses()
    let body = try await network.value(for: origin.url("/10"))
    XCTAssertEqual(body, Data("/0".utf8))
    let response = try await responses.value(for: URLRequest(url: origin.url("/10")))
    XCTAssertEqual(response.url, origin.url("/0"))
    do {
      _ = try await responses.value(for: URLRequest(url: origin.url("/11")))
      XCTFail("The level followed eleven redirects.")
    } catch let error as NetworkError {
      guard case .tooManyRedirects(maximum: 10) = error.reason else { return XCTFail("\(error)") }
    }
  }

  func testRedirectLoopIsRefused() async throws {
    try await onEachTransport {
      let origin = try origin { _ in "/" }
      defer { origin.stop() }
      let result = await value(of: URLRequest(url: origin.url()))
      XCTAssertEqual(result.kind, "tooManyRedirects")
    }
  }

  func testRedirectToAnotherSchemeIsRefused() async throws {
    try await onEachTransport {
      for target in [
        "file:///etc/passwd", "ftp://127.0.0.1/", "data:,x", "mailto:a", "http:", "foo:/",
      ] {
        let origin = try origin { _ in target }
        defer { origin.stop() }
        let result = await value(of: URLRequest(url: origin.url()))
        XCTAssertEqual(result.kind, "refusedURL", target)
        XCTAssertEqual(origin.requests.count, 1, target)
      }
    }
  }

  /// The bytes of a location reach the next origin, whether they are UTF-8 or not.
  func testTheTargetIsRequestedAsItWasReceived() async throws {
    for (location, target) in [
      (Array("/list?filter[name]=J%C3%BCrgen".utf8), "/list?filter%5Bname%5D=J%C3%BCrgen"),
      (Array("/J".utf8) + [0xfc] + Array("rgen?%2F".utf8), "/J%FCrgen?%2F"),
      (Array("/J\u{fc}rgen".utf8), "/J%C3%BCrgen"),
    ] {
      let origin = try LoopbackOrigin { request in
        guard request.path == "/start" else { return .respond(body: request.path) }
        let start = "HTTP/1.1 302 Found\r\nContent-Length: 0\r\nLocation: "
        return .raw(Array(start.utf8) + location + Array("\r\n\r\n".utf8))
      }
      defer { origin.stop() }
      let result = await value(of: URLRequest(url: origin.url("/start")))
      XCTAssertEqual(result.text, target)
    }
  }

  /// A field that was received can be sent back, byte for byte.
  func testAReceivedFieldIsSentBackByteForByte() async throws {
    let tag: [UInt8] = [0x22, 0x4a, 0xfc, 0x22]
    let origin = try LoopbackOrigin { request in
      .raw(Array("HTTP/1.1 200 OK\r\nContent-Length: 0\r\nETag: ".utf8) + tag + [13, 10, 13, 10])
    }
    defer { origin.stop() }
    let first = try await response(to: URLRequest(url: origin.url())).get()
    var next = URLRequest(url: origin.url())
    next.setValue(first.fields["ETag"], forHTTPHeaderField: "If-None-Match")
    _ = try await response(to: next).get()
    let line = Array("If-None-Match: ".utf8) + tag + [13, 10]
    XCTAssertEqual(origin.requests.last?.contains(line), true)
  }

  func testRedirectWithoutTargetIsAStatus() async throws {
    try await onEachTransport {
      let result = try await value(from: .respond(status: 302))
      XCTAssertEqual(result.kind, "status")
      XCTAssertEqual(result.failure?.status, 302)
    }
  }

  func testCredentialsStayWithinTheOrigin() async throws {
    try await onEachTransport {
      let other = try LoopbackOrigin { _ in .respond(body: "other") }
      defer { other.stop() }
      let away = other.url("/there").absoluteString
      let origin = try origin { ["/": "/second", "/second": away][$0] }
      defer { origin.stop() }
      var request = URLRequest(url: origin.url())
      request.setValue("Bearer secret", forHTTPHeaderField: "Authorization")
      request.setValue("id=secret", forHTTPHeaderField: "Cookie")
      request.setValue("kept", forHTTPHeaderField: "X-Other")
      let result = await value(of: request)
      XCTAssertEqual(result.text, "other")
      let second = try XCTUnwrap(origin.requests.last)
      XCTAssertEqual(second.headers["authorization"], "Bearer secret")
      let third = try XCTUnwrap(other.requests.first)
      XCTAssertNil(third.headers["authorization"])
      XCTAssertNil(third.headers["cookie"])
      XCTAssertEqual(third.headers["x-other"], "kept")
    }
  }

  func testCredentialsOfTheConfigurationStayWithinTheOrigin() async throws {
    try await onEachTransport {
      let other = try LoopbackOrigin { _ in .respond(body: "other") }
      defer { other.stop() }
      let away = other.url().absoluteString
      let origin = try origin { _ in away }
      defer { origin.stop() }
      let session = makeSession(
        fields: ["Authorization": "Bearer secret", "X-Key": "secret", "X-Other": "kept"],
        secrets: ["x-key"])
      _ = await value(of: URLRequest(url: origin.url()), session: session)
      XCTAssertEqual(origin.requests.first?.headers["authorization"], "Bearer secret")
      XCTAssertNil(other.requests.first?.headers["authorization"])
      XCTAssertEqual(origin.requests.first?.headers["x-key"], "secret")
      XCTAssertNil(other.requests.first?.headers["x-key"])
      XCTAssertEqual(other.requests.first?.headers["x-other"], "kept")
    }
  }

  func testUnusableURLsAreRefusedUnsent() async throws {
    try await onEachTransport {
      let addresses = [
        "file:///etc/passwd", "ftp://127.0.0.1/", "data:,x", "http:///x", "http:", "/relative",
      ]
      for address in addresses {
        let url = try XCTUnwrap(URL(string: address))
        let result = await value(of: URLRequest(url: url))
        XCTAssertEqual(result.kind, "refusedURL", address)
      }
    }
  }

  func testASchemeInUpperCaseIsRequested() async throws {
    try await onEachTransport {
      let origin = try LoopbackOrigin { _ in .respond(body: "hello") }
      defer { origin.stop() }
      let url = try XCTUnwrap(URL(string: "HTTP://127.0.0.1:\(origin.port)/"))
      let result = await value(of: URLRequest(url: url))
      XCTAssertEqual(result.text, "hello")
    }
  }
}
