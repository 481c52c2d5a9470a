#if canImport(CStrataCurl) && canImport(Glibc)
  import Foundation
  import FoundationNetworking
  import XCTest

  @testable import StrataCore
  @testable import StrataNetwork

  /// Tests responses that would crash Foundation on Linux, or that Foundation would wrongly accept
  /// as complete.
  final class CurlHostileTests: NetworkCase {
    private let ok = "HTTP/1.1 200 OK\r\nConnection: close\r\n"
    private let chunked =
      "HTTP/1.1 200 OK\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n"

    func testTrailersAreReadAndDropped() async throws {
      let origin = try LoopbackOrigin { [chunked] _ in
        .raw(Array((chunked + "3\r\nabc\r\n0\r\nX-Sum: 1\r\nContent-Length: 9\r\n\r\n").utf8))
      }
      defer { origin.stop() }
      let response = try await response(to: URLRequest(url: origin.url())).get()
      XCTAssertEqual(response.body, Data("abc".utf8))
      XCTAssertFalse(response.fields.contains("X-Sum"))
      XCTAssertFalse(response.fields.contains("Content-Length"))
    }

    func testChunkExtensionsAreIgnored() async throws {
      let result = try await value(
        ofBytes: chunked + "3;a=b\r\nabc\r\n0002;c\r\nde\r\n0;d\r\n\r\n")
      XCTAssertEqual(result.text, "abcde")
    }

    func testInvalidFieldsAreRefused() async throws {
      for field in [
        "\0", "\0: a", "A: b\0c", "A\0B: c", "A B: c", "Content-Length : 1", "A: b\rC: d", "\r",
        "\u{E9}: a", "(A): b",
      ] {
        let result = try await value(ofBytes: ok + "\(field)\r\nContent-Length: 1\r\n\r\na")
        let kinds = ["malformedResponse", "transport"]
        XCTAssertTrue(kinds.contains(result.kind), "\(field.debugDescription): \(result)")
      }
    }

    func testHugeLengthsAreRefused() async throws {
      for length in [
        "9223372036854775295", "9223372036854775296", "9223372036854775807",
        "9223372036854775808", "18446744073709551615", "18446744073709551616",
        String(repeating: "9", count: 5000),
      ] {
        let result = try await value(ofBytes: ok + "Content-Length: \(length)\r\n\r\na")
        XCTAssertTrue(["tooLarge", "conflictingLengths"].contains(result.kind), "\(result)")
      }
    }

    func testRedirectsToImpossibleHostsAreRefused() async throws {
      for target in [
        "//a%20b/", "//a%00b/", "http://a%20b/", "http://%00/", "//%/", "http://[::1", "http://[/",
        "http://a b/", "//", "http://?", "http://:0/", "http://:80/", "http://127.0.0.1:99999/",
        "http://127.0.0.1:0/",
      ] {
        let result = try await value(from: .respond(status: 302, headers: ["Location": target]))
        XCTAssertTrue(["refusedURL", "transport"].contains(result.kind), "\(target): \(result)")
      }
    }

    func testDifferentTargetsOfOneRedirectAreRefused() async throws {
      let result = try await value(
        ofBytes: "HTTP/1.1 302 Found\r\nLocation: /a\r\nLocation: /b\r\nContent-Length: 0\r\n\r\n")
      XCTAssertEqual(result.kind, "malformedResponse")
    }

    func testAHeaderThatBreaksOffIsRefused() async throws {
      for text in ["HTTP/1.1 200 OK\r\nA: b\r\n", "HTTP/1.1 200 OK\r\n", "HTTP/1.1 200 OK\r\nA:"] {
        let result = try await value(ofBytes: text)
        XCTAssertEqual(result.kind, "malformedResponse", text)
      }
    }

    func testUnknownTransferCodingsAreRefused() async throws {
      for coding in [
        "gzip", "gzip, chunked", "chunked, chunked", "xchunked", "",
        "gzip, gzip, gzip, gzip, gzip, gzip",  // libcurl itself refuses more than five codings.
      ] {
        let result = try await value(
          ofBytes: ok + "Transfer-Encoding: \(coding)\r\n\r\n3\r\nabc\r\n0\r\n\r\n")
        XCTAssertEqual(
          result.failure.map { "\($0)".contains("transfer coding is unknown") }, true,
          "\(coding): \(result)")
      }
    }

    func testAFloodOfInterimResponsesIsRefused() async throws {
      let interim = Array("HTTP/1.1 103 Early Hints\r\nLink: a\r\n\r\n".utf8)
      let result = try await value(from: endless(header: "", piece: interim))
      XCTAssertEqual(result.kind, "malformedResponse")
    }

    func testASwitchOfProtocolsIsRefused() async throws {
      let result = try await value(
        ofBytes: "HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\n\r\nabc")
      XCTAssertEqual(result.kind, "malformedResponse")
    }

    /// With this response, libcurl 7.88 wrote to freed memory if the same handle had received
    /// another response before.
    func testAFoldedFirstLineIsRefused() async throws {
      let folded = "HTTP/1.1 200 OK\r\n \(String(repeating: "x", count: 500))\r\n\r\n"
      let origin = try LoopbackOrigin { request in
        request.path == "/folded" ? .raw(Array(folded.utf8)) : .respond(body: "x")
      }
      defer { origin.stop() }
      let session = makeSession()
      for _ in 0..<50 {
        let plain = await value(of: URLRequest(url: origin.url()), session: session)
        XCTAssertEqual(plain.text, "x")
        let result = await value(of: URLRequest(url: origin.url("/folded")), session: session)
        XCTAssertTrue(["malformedResponse", "transport"].contains(result.kind), "\(result)")
      }
    }

    func testAFoldedFieldIsOneField() async throws {
      let origin = try LoopbackOrigin { [ok] _ in
        .raw(Array((ok + "A: b\r\n  c\r\n\td\r\nContent-Length: 1\r\n\r\nx").utf8))
      }
      defer { origin.stop() }
      let response = try await response(to: URLRequest(url: origin.url())).get()
      XCTAssertEqual(response.fields["A"], "b c d")
    }
  }
#endif
