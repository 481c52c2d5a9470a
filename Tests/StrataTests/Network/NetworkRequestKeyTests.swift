import Foundation
import XCTest

@testable import StrataCore
@testable import StrataNetwork

final class NetworkRequestKeyTests: NetworkCase {
  private func request(_ origin: LoopbackOrigin, _ user: String) -> URLRequest {
    var request = URLRequest(url: origin.url())
    request.setValue(user, forHTTPHeaderField: "Authorization")
    return request
  }

  func testEachUserGetsTheirOwnAnswer() async throws {
    let origin = try LoopbackOrigin { .respond(body: $0.headers["authorization"] ?? "") }
    defer { origin.stop() }
    let requests: Cache<URLRequest, Data> = .memory() + .network()
    let keys: Cache<RequestKey, Data> = .memory() + .network()
    let responses: Fetcher<RequestKey, NetworkResponse> = .responses()
    for user in ["alice", "bob", "alice"] {
      let request = request(origin, user)
      let body = try await requests.value(for: request)
      XCTAssertEqual(String(decoding: body, as: UTF8.self), user)
      let keyed = try await keys.value(for: RequestKey(request))
      XCTAssertEqual(String(decoding: keyed, as: UTF8.self), user)
      let response = try await responses.value(for: RequestKey(request))
      XCTAssertEqual(String(decoding: response.body, as: UTF8.self), user)
    }
    XCTAssertEqual(origin.requests.count, 7)
    let known = try await keys.known(
      of: ["alice", "bob"].map { RequestKey(request(origin, $0)) }
    ).value
    XCTAssertEqual(Set(known.values.map { String(decoding: $0, as: UTF8.self) }), ["alice", "bob"])
  }

  func testTheFieldsOfTheSessionAreKnownAbove() throws {
    let session = NetworkSession(fields: ["Authorization": "alice"], secrets: [])
    let responses: Fetcher<RequestKey, NetworkResponse> = .responses(session: session)
    let request = URLRequest(url: URL(string: "http://example.com/")!)
    let sent = try XCTUnwrap(responses.source.request)(RequestKey(request)).wait().request
    XCTAssertEqual(sent.value(forHTTPHeaderField: "Authorization"), "alice")
  }
}
