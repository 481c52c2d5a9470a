import XCTest

@testable import StrataCore
@testable import StrataHTTP
@testable import StrataNetwork
@testable import StrataVerbs

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Tests that the cache knows the user of a request, whatever the origin reveals.
final class RequestHeadTests: XCTestCase {
  /// An origin that answers each user with a different body.
  private static let origin = FakeTransport { request in
    let user = ["Authorization", "Cookie"].compactMap { request.fields[$0] }
    return (200, ["Cache-Control": "max-age=60"], "for " + user.joined(separator: " "))
  }

  private func get(_ cache: HTTPCache, url: URL = HTTPFixtures.url) throws -> HTTPAnswer {
    try cache.answer(to: HTTPScene.request(url: url)).wait(for: .seconds(60))
  }

  /// The cache can't see which request such an origin sends, but it sees the URL.
  func testTheCredentialsOfAURLSeparateItsUsersAboveAnyOrigin() throws {
    let network: Fetcher<URLRequest, NetworkResponse> = .responses(
      session: NetworkSession(Self.origin))
    let own = Fetcher<URLRequest, NetworkResponse> { request in
      let now = TimeSource.system.now()
      return Promise(
        NetworkResponse(
          status: 200, fields: ["Cache-Control": "max-age=60"],
          body: Data("\(request.url!)".utf8), url: HTTPFixtures.url, requestTime: now,
          responseTime: now))
    }
    let opaque = Fetcher<URLRequest, NetworkResponse> { network.get($0) }
    for (index, fetcher) in [network, opaque, own].enumerated() {
      let cache = HTTPCache(storedIn: .dictionary(), from: fetcher)
      let users = ["", "alice:a@", "bob:b@", "u@", ":p@", ":@"].map {
        "http://\($0)example.com/page"
      }
      let answers = try users.map { try get(cache, url: URL(string: $0)!) }
      XCTAssertEqual(answers.map(\.status.kind), Array(repeating: .miss, count: 6), "\(index)")
      XCTAssertEqual(Set(answers.map(\.response.text)).count, 6, "\(index)")
      for (url, answer) in zip(users, answers) {
        let again = try get(cache, url: URL(string: url)!)
        XCTAssertEqual(again.response.text, answer.response.text)
        XCTAssertEqual(again.status.kind, .hit)
      }
    }
  }

  func testEachBranchOfAnOriginHasItsUsers() throws {
    let store = Cache<String, Data>.dictionary()
    let sessions = ["alice", "bob"].map { NetworkSession(Self.origin, fields: ["Cookie": $0]) }
    let networks = sessions.map { Fetcher<URLRequest, NetworkResponse>.responses(session: $0) }
    let nobody: Fetcher<URLRequest, NetworkResponse> = .responses(
      session: NetworkSession(Self.origin))
    XCTAssertEqual(try get(HTTPCache(storedIn: store, from: nobody)).response.text, "for ")
    for (branch, user) in [(CacheBranch.first, "alice"), (.second, "bob")] {
      let cache = HTTPCache(
        storedIn: store, from: .switching(networks[0], networks[1]) { _ in branch })
      XCTAssertEqual(try get(cache).response.text, "for \(user)")
      XCTAssertEqual(try get(cache).status.kind, .hit)
    }
  }
}
