#if canImport(CStrataCurl) && canImport(Glibc)
  import Foundation
  import FoundationNetworking
  import XCTest

  @testable import StrataCore
  @testable import StrataNetwork

  /// Tests proxies from environment variables, which libcurl reads for each request.
  final class CurlProxyTests: NetworkCase {
    private static let names = ["http_proxy", "https_proxy", "all_proxy", "no_proxy"]

    override func tearDown() {
      for name in Self.names { unsetenv(name) }
    }

    private func get(_ text: String) async throws -> Result<Data, NetworkError> {
      let url = try XCTUnwrap(URL(string: text))
      return await value(of: URLRequest(url: url), session: NetworkSession())
    }

    /// Runs `body` with a proxy and its address. The proxy answers every request without forwarding
    /// it.
    private func withProxy(
      _ reply: KeptOrigin.Reply = .init(text: "proxied"),
      _ body: (KeptOrigin, String) async throws -> Void
    ) async throws {
      let proxy = try KeptOrigin { _ in reply }
      defer { proxy.stop() }
      try await body(proxy, "127.0.0.1:\(proxy.port)")
    }

    func testAProxyForHTTPReceivesTheWholeURL() async throws {
      for name in ["http_proxy", "all_proxy"] {
        try await withProxy { proxy, address in
          setenv(name, "http://\(address)", 1)
          let result = try await get("http://origin.example/page?q=1")
          unsetenv(name)
          XCTAssertEqual(result.text, "proxied", name)
          XCTAssertEqual(proxy.requests.map(\.target), ["http://origin.example/page?q=1"])
          XCTAssertEqual(proxy.requests.first?.headers["host"], "origin.example")
        }
      }
    }

    func testAProxyForHTTPSOpensATunnel() async throws {
      for name in ["https_proxy", "all_proxy"] {
        try await withProxy(.init(status: 403, fields: "X: y\r\n", text: "no")) { proxy, address in
          setenv(name, "http://\(address)", 1)
          let result = try await get("https://origin.example/page")
          unsetenv(name)
          XCTAssertEqual(result.kind, "transport", name)
          XCTAssertNil(result.failure?.response, "The response is the proxy's, not the origin's.")
          XCTAssertEqual(proxy.requests.map(\.method), ["CONNECT"])
          XCTAssertEqual(proxy.requests.map(\.target), ["origin.example:443"])
        }
      }
    }

    func testAProxyForHTTPSDoesNotCarryHTTP() async throws {
      try await withProxy { proxy, address in
        let origin = try KeptOrigin { _ in .init(text: "direct") }
        defer { origin.stop() }
        setenv("https_proxy", "http://\(address)", 1)
        let result = try await get(origin.url("/page").absoluteString)
        XCTAssertEqual(result.text, "direct")
        XCTAssertEqual(proxy.count, 0)
      }
    }

    func testHostsOfNoProxyAreReachedDirectly() async throws {
      try await withProxy { proxy, address in
        let origin = try KeptOrigin { _ in .init(text: "direct") }
        defer { origin.stop() }
        setenv("http_proxy", "http://\(address)", 1)
        for (hosts, text) in [
          ("127.0.0.1", "direct"), ("other.example,127.0.0.1", "direct"), ("*", "direct"),
          ("other.example", "proxied"),
        ] {
          setenv("no_proxy", hosts, 1)
          let result = try await get(origin.url("/page").absoluteString)
          XCTAssertEqual(result.text, text, hosts)
        }
        XCTAssertEqual([proxy.count, origin.count], [1, 3])
      }
    }

    func testCredentialsOfAProxyGoToTheProxy() async throws {
      try await withProxy { proxy, address in
        setenv("http_proxy", "http://user:secret@\(address)", 1)
        _ = try await get("http://origin.example/page")
        let credentials = Data("user:secret".utf8).base64EncodedString()
        let fields = proxy.requests.first?.headers
        XCTAssertEqual(fields?["proxy-authorization"], "Basic \(credentials)")
        XCTAssertNil(fields?["authorization"])
      }
    }

    func testAProxyThatIsDownIsAFailure() async throws {
      let proxy = try KeptOrigin { _ in .init() }
      proxy.stop()
      setenv("http_proxy", "http://127.0.0.1:\(proxy.port)", 1)
      let result = try await get("http://origin.example/page")
      XCTAssertEqual(result.kind, "transport")
    }

    func testInterimAndTunnelHeadersAreNoResponse() async throws {
      try await withProxy(
        .init(
          bytes: Array(
            "HTTP/1.1 103 Early\r\nA: b\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nx".utf8))
      ) { _, address in
        setenv("http_proxy", "http://\(address)", 1)
        let url = try XCTUnwrap(URL(string: "http://origin.example/"))
        let result = await response(to: URLRequest(url: url), session: NetworkSession())
        XCTAssertEqual(try result.get().fields.map(\.name), ["Content-Length"])
        XCTAssertEqual(try result.get().interim, [.init(status: 103, fields: ["A": "b"])])
      }
    }
  }
#endif
