import Foundation
import XCTest

@testable import StrataCore
@testable import StrataNetwork
@testable import StrataVerbs

/// Tests that verbs and maps pass on where the values of a cache come from.
final class CacheSourceTests: XCTestCase {
  private let url = URL(string: "http://example.com/page")!

  private func user(_ fetcher: Fetcher<URLRequest, NetworkResponse>) throws -> String? {
    let request = try XCTUnwrap(fetcher.source.request)
    return try request(URLRequest(url: url)).wait(for: .seconds(60)).request
      .value(forHTTPHeaderField: "Authorization")
  }

  private static func adding(_ user: String) -> @Sendable (URLRequest) -> URLRequest {
    { request in
      var request = request
      request.setValue(user, forHTTPHeaderField: "Authorization")
      return request
    }
  }

  func testVerbsAndMapsPassTheRequestsOn() throws {
    let session = NetworkSession(fields: ["Authorization": "alice"], secrets: ["X-Key"])
    let network: Fetcher<URLRequest, NetworkResponse> = .responses(session: session)
    let verbs = network.named("a").observed { _ in }.limited(toConcurrentGets: 1).retrying(1)
      .timingOut(after: .seconds(1)).awaitedInSum(atMost: .seconds(1)).mapValues { $0 }
      .breakingCircuit(after: .failures(1), retryAfter: .seconds(1))
    for fetcher in [network, verbs, verbs + network, verbs.fetcher] {
      XCTAssertEqual(try user(fetcher), "alice")
      XCTAssertEqual(try user(fetcher.mapKeys(Self.adding("bob"))), "bob")
      XCTAssertEqual(
        try user(fetcher.mapKeys(Transformer { Self.adding("carol")($0) })), "carol")
    }
    let custom = Fetcher<URLRequest, NetworkResponse> { _ in .miss }
    XCTAssertNil(custom.source.request)
    XCTAssertEqual(try user(custom.mapKeys(Self.adding("bob"))), "bob")
  }

  func testASessionStatesTheFieldsThatIdentifyItsUser() throws {
    let session = NetworkSession(
      fields: ["X-Tenant": "1", "accept-language": "de", "User-Agent": "test"], secrets: ["X-Key"])
    var request = URLRequest(url: URL(string: "http://alice:a@example.com/page#top")!)
    request.httpMethod = "PUT"
    let sent = session.sent(.request(request))
    XCTAssertEqual(sent.identifying, ["X-Key", "X-Tenant"])
    XCTAssertEqual(sent.request.url, url)
    XCTAssertEqual(sent.request.httpMethod, "PUT")
    XCTAssertEqual(sent.request.value(forHTTPHeaderField: "Authorization"), "Basic YWxpY2U6YQ==")
    XCTAssertEqual(sent.request.value(forHTTPHeaderField: "Accept-Language"), "de")
    let file = URLRequest(url: URL(fileURLWithPath: "/a"))
    XCTAssertEqual(session.sent(.request(file)).request, file)
    let sentURL = session.sent(.url(url)).request
    XCTAssertEqual(sentURL, session.sent(.request(URLRequest(url: url))).request)
    XCTAssertEqual(sentURL.value(forHTTPHeaderField: "X-Tenant"), "1")
  }

  func testVerbsAndMapsKeepTheStorage() {
    let store = Cache<String, Int>.dictionary()
    let storage = store.source.storage
    let views = [
      store.named("a"), store.limited(toConcurrentGets: 1), store.mapKeys { "a\($0)" },
      .memory() + store, store.observed { _ in }.clocked(by: .system),
    ]
    for view in views { XCTAssertTrue(view.source.storage === storage, "\(view.plan)") }
    XCTAssertFalse(Cache<String, Int>.dictionary().source.storage === storage)
  }
}
