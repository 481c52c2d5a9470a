#if canImport(CStrataCurl) && canImport(Glibc)
  import Foundation
  import FoundationNetworking
  import XCTest

  @testable import StrataCore
  @testable import StrataNetwork

  final class SystemTransportTests: XCTestCase {
    private let settings = CurlSettings(connectionsPerHost: 2, idleTimeout: .seconds(1))

    func testURLSessionReplacesAMissingLibraryAndALineReportsIt() async throws {
      let library = Result { () throws(CurlLibrary.LoadError) in
        try CurlLibrary(file: "libcurl.so.nothing")
      }
      var lines: [String] = []
      let transport = SystemTransport.make(library, settings) { lines.append($0) }
      XCTAssertTrue(transport is URLSessionTransport)
      XCTAssertEqual(lines.count, 1)
      XCTAssertTrue(lines[0].contains("libcurl.so.nothing"), lines[0])
      let origin = try LoopbackOrigin { _ in .respond(body: "x") }
      defer { origin.stop() }
      let network: Fetcher<URL, Data> = .network(session: NetworkSession(transport))
      let data = try await network.value(for: origin.url())
      XCTAssertEqual(data, Data("x".utf8))
    }

    func testLibcurlIsUsedWhereItIsInstalled() throws {
      var lines: [String] = []
      guard case .success = CurlLibrary.shared else { throw XCTSkip("libcurl.so.4 is missing") }
      let transport = SystemTransport.make(CurlLibrary.shared, settings) { lines.append($0) }
      XCTAssertTrue(transport is CurlTransport)
      XCTAssertEqual(lines, [])
    }
  }
#endif
