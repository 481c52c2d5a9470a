import Foundation
import XCTest

@testable import StrataCore
@testable import StrataNetwork
@testable import StrataVerbs

final class RequestSettingsTests: NetworkCase {
  private func fields(_ policy: URLRequest.CachePolicy, own: String? = nil) throws -> String? {
    var request = URLRequest(url: try XCTUnwrap(URL(string: "http://a.test/")))
    request.cachePolicy = policy
    request.setValue(own, forHTTPHeaderField: "Cache-Control")
    return HeaderFields(of: request)["Cache-Control"]
  }

  func testACachePolicyBecomesDirectives() throws {
    XCTAssertNil(try fields(.useProtocolCachePolicy))
    XCTAssertEqual(try fields(.reloadIgnoringLocalCacheData), "no-cache")
    XCTAssertEqual(try fields(.reloadIgnoringLocalAndRemoteCacheData), "no-cache")
    XCTAssertEqual(try fields(.reloadRevalidatingCacheData), "max-age=0")
    XCTAssertEqual(try fields(.returnCacheDataElseLoad), "max-stale")
    XCTAssertEqual(try fields(.returnCacheDataDontLoad), "only-if-cached, max-stale")
    XCTAssertEqual(
      try fields(.reloadIgnoringLocalCacheData, own: "no-store"), "no-store, no-cache")
    XCTAssertEqual(try fields(.reloadIgnoringLocalCacheData, own: "No-Cache"), "No-Cache")
  }

  func testAPolicyThatForbidsLoadingIsObeyed() async throws {
    try await onEachTransport {
      let origin = try LoopbackOrigin { _ in .respond(body: "hello") }
      defer { origin.stop() }
      var request = URLRequest(url: origin.url())
      request.cachePolicy = .returnCacheDataDontLoad
      let result = await value(of: request)
      XCTAssertEqual(result.kind, "refusedRequest")
      XCTAssertEqual(origin.requests.count, 0)
      request.cachePolicy = .reloadIgnoringLocalCacheData
      let fresh = await value(of: request)
      XCTAssertEqual(fresh.text, "hello")
      XCTAssertEqual(origin.requests.last?.headers["cache-control"], "no-cache")
    }
  }

  func testATimeoutIsADeadline() async throws {
    try await onEachTransport {
      let origin = try LoopbackOrigin { _ in .stream { $0.waitUntilClosed() } }
      defer { origin.stop() }
      let result = await value(
        of: URLRequest(url: origin.url(), timeoutInterval: 0.01), deadline: .seconds(500))
      XCTAssertEqual(result.kind, "deadlinePassed")
      XCTAssertEqual(result.failure?.description.contains("timeoutInterval"), true)
    }
    XCTAssertNil(try RequestSettings.deadline(60))
    XCTAssertNil(try RequestSettings.deadline(0))
    XCTAssertNil(try RequestSettings.deadline(.infinity))
    XCTAssertNil(try RequestSettings.deadline(1e300))
    XCTAssertEqual(try RequestSettings.deadline(61), .seconds(61))
    for timeout: TimeInterval in [-1, -TimeInterval.infinity, .nan] {
      XCTAssertThrowsError(try RequestSettings.deadline(timeout))
    }
  }

  func testANetworkThatCantBeChosenIsRefused() async throws {
    guard URLLoading.isCorelibs else { throw XCTSkip("URLSession honors these settings") }
    try await onEachTransport {
      let origin = try LoopbackOrigin { _ in .respond(body: "hello") }
      defer { origin.stop() }
      var request = URLRequest(url: origin.url())
      request.allowsCellularAccess = false
      let result = await value(of: request)
      XCTAssertEqual(result.failure?.description.contains("allowsCellularAccess"), true)
      XCTAssertEqual(origin.requests.count, 0)
    }
  }

  func testASessionObeysItsConfigurationOrRefuses() async throws {
    let origin = try LoopbackOrigin { request in
      request.path == "/slow" ? .stream { $0.waitUntilClosed() } : .respond(body: "hello")
    }
    defer { origin.stop() }
    func result(
      _ path: String = "/", _ change: (URLSessionConfiguration) -> Void
    ) async -> Result<Data, NetworkError> {
      let configuration = URLSessionConfiguration.ephemeral
      change(configuration)
      let session = NetworkSession(configuration: configuration)
      return await value(of: URLRequest(url: origin.url(path)), session: session)
    }
    let slow = await result("/slow") { $0.timeoutIntervalForRequest = 0.01 }
    XCTAssertEqual(slow.kind, "deadlinePassed")
    let whole = await result("/slow") { $0.timeoutIntervalForResource = 0.01 }
    XCTAssertEqual(whole.kind, "deadlinePassed")
    let reload = await result { $0.requestCachePolicy = .reloadIgnoringLocalCacheData }
    XCTAssertEqual(reload.text, "hello")
    XCTAssertEqual(origin.requests.last?.headers["cache-control"], "no-cache")
    let offline = await result { $0.requestCachePolicy = .returnCacheDataDontLoad }
    XCTAssertEqual(offline.kind, "refusedRequest")
    guard URLLoading.isCorelibs else { return }
    let cellular = await result { $0.allowsCellularAccess = false }
    XCTAssertEqual(cellular.kind, "refusedRequest")
    let proxy = await result { $0.connectionProxyDictionary = ["HTTPEnable": 1] }
    XCTAssertEqual(proxy.kind, "refusedRequest")
  }
}
