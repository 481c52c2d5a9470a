import Foundation
import XCTest

@testable import StrataCore
@testable import StrataNetwork
@testable import StrataVerbs

final class URLSessionTransportTests: XCTestCase {
  func testAConfigurationStoresNothing() throws {
    let given = URLSessionConfiguration.default
    given.httpAdditionalHeaders = ["X-Own": "kept"]
    given.timeoutIntervalForResource = 17
    let used = URLSessionTransport(given).configuration
    XCTAssertNil(used.urlCache)
    XCTAssertNil(used.httpCookieStorage)
    XCTAssertNil(used.urlCredentialStorage)
    XCTAssertFalse(used.httpShouldSetCookies)
    XCTAssertEqual(used.requestCachePolicy, .reloadIgnoringLocalCacheData)
    XCTAssertTrue(
      used.httpAdditionalHeaders?.isEmpty ?? true, "Each request should have these fields.")
    XCTAssertEqual(used.timeoutIntervalForResource, 17)
    XCTAssertNotNil(given.httpAdditionalHeaders, "The given configuration should not change.")
  }

  func testTheFieldsOfAConfigurationAreSent() async throws {
    let origin = try LoopbackOrigin { .respond(body: $0.headers["x-own"] ?? "none") }
    defer { origin.stop() }
    let configuration = URLSessionConfiguration.ephemeral
    configuration.httpAdditionalHeaders = ["X-Own": "sent"]
    let session = NetworkSession(configuration: configuration)
    let network: Fetcher<URL, Data> = .network(session: session)
    let data = try await network.value(for: origin.url())
    XCTAssertEqual(data, Data("sent".utf8))
  }

  /// After a response is refused, the cancellation races with the end of the connection. In this
  /// race, Foundation crashed in about one in a hundred gets.
  func testARefusalRacesTheEndOfTheConnection() async throws {
    let origin = try LoopbackOrigin { _ in
      .stream { connection in
        connection.send("HTTP/1.1 200 OK\r\nContent-Length: 1001\r\n\r\n")
        connection.waitUntilClosed(upTo: .random(in: 0...0.002))
      }
    }
    defer { origin.stop() }
    let session = NetworkSession(configuration: .ephemeral)
    let network: Fetcher<URL, Data> = .network(session: session, maximumSize: 1000)
    for _ in 0..<500 {
      do {
        _ = try await network.value(for: origin.url())
        XCTFail("A body that is too large was accepted as a value.")
      } catch let error as NetworkError {
        guard case .tooLarge = error.reason else { return XCTFail("\(error)") }
      }
    }
  }
}
