import XCTest

@testable import StrataCore
@testable import StrataHTTP
@testable import StrataNetwork

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Tests that a response for one user never answers another user, whichever way the users are
/// identified.
final class HTTPUserTests: XCTestCase {
  private static let url = HTTPFixtures.url

  /// An origin that answers each user with a different body. It reads the user from every field.
  private func transport(_ fields: HeaderFields) -> FakeTransport {
    FakeTransport { request in
      let user = ["Authorization", "Cookie", "X-Key"].compactMap { request.fields[$0] }
      return (200, fields, "for " + user.joined(separator: " "))
    }
  }

  private func cache(
    _ transport: FakeTransport, _ store: Cache<String, Data>, _ fields: HeaderFields = [:],
    secrets: [String] = [], isShared: Bool = false
  ) -> HTTPCache {
    let session = NetworkSession(transport, fields: fields, secrets: secrets)
    return HTTPCache(
      storedIn: store, from: .responses(session: session),
      policy: HTTPCachePolicy(isShared: isShared))
  }

  private func get(
    _ cache: HTTPCache, _ fields: HeaderFields = [:], url: URL = url, method: String = "GET"
  ) throws -> HTTPAnswer {
    try cache.answer(to: HTTPScene.request(fields, method: method, url: url))
      .wait(for: .seconds(60))
  }

  func testTwoSessionsOverOneStoreShareNoResponse() throws {
    for control in ["max-age=60", "private, max-age=60", "max-age=60, stale-if-error=60"] {
      for vary in ["Accept", "Authorization, Cookie, X-Key", "Authorization"] {
        for name in ["Authorization", "Cookie", "X-Key"] {
          for isShared in [false, true] {
            let origin = transport(["Cache-Control": control, "Vary": vary])
            let store = Cache<String, Data>.dictionary()
            let users = ["alice", "bob"].map { user in
              cache(origin, store, [name: user], isShared: isShared)
            }
            let nobody = cache(origin, store, isShared: isShared)
            let scene = "\(control) \(vary) \(name) \(isShared)"
            for _ in 0..<2 {
              XCTAssertEqual(try get(users[0]).response.text, "for alice", scene)
              XCTAssertEqual(try get(users[1]).response.text, "for bob", scene)
              // A shared cache may serve to everybody what it loaded for nobody.
              if !isShared { XCTAssertEqual(try get(nobody).response.text, "for ", scene) }
            }
            if !isShared {
              XCTAssertEqual(origin.requests.count, 3, scene)
              XCTAssertEqual(try get(users[0]).status.kind, .hit, scene)
            }
          }
        }
      }
    }
  }

  func testASharedCacheStoresNoAnswerToTheAuthorizationOfASession() throws {
    let origin = transport(["Cache-Control": "max-age=60"])
    let alice = cache(origin, .dictionary(), ["Authorization": "alice"], isShared: true)
    XCTAssertEqual(try get(alice).status.detail, "authorization")
    XCTAssertEqual(try get(alice).status.kind, .miss)
  }

  func testASharedCacheServesAReleasedResponseToEverybody() throws {
    for control in ["public, max-age=60", "s-maxage=60", "must-revalidate, max-age=60"] {
      let (origin, store) = (
        transport(["Cache-Control": control]), Cache<String, Data>.dictionary()
      )
      let alice = cache(origin, store, ["Authorization": "alice"], isShared: true)
      let bob = cache(origin, store, ["Cookie": "bob"], isShared: true)
      XCTAssertEqual(try get(alice).response.text, "for alice")
      XCTAssertEqual(try get(bob).response.text, "for alice")
      XCTAssertEqual(try get(bob).status.kind, .hit)
    }
  }

  func testTheCredentialsOfAURLSeparateItsUsers() throws {
    let origin = transport(["Cache-Control": "max-age=60"])
    let cache = cache(origin, .dictionary())
    let alice = URL(string: "http://alice:a@example.com/page")!
    let bob = URL(string: "http://bob:b@example.com/page")!
    for url in [alice, bob, alice, bob] {
      let user = url.user()! + ":" + url.password()!
      XCTAssertEqual(
        try get(cache, url: url).response.text,
        "for Basic \(Data(user.utf8).base64EncodedString())")
    }
    XCTAssertEqual(try get(cache).response.text, "for ")
    XCTAssertEqual(origin.requests.count, 3)
    XCTAssertTrue(origin.requests.allSatisfy { $0.url == Self.url })
  }

  func testFieldsThatAreMappedBelowTheCacheAreKnown() throws {
    let (origin, store) = (
      transport(["Cache-Control": "max-age=60"]), Cache<String, Data>.dictionary()
    )
    let network: Fetcher<URLRequest, NetworkResponse> = .responses(session: NetworkSession(origin))
    for user in ["alice", "bob"] {
      let add: @Sendable (URLRequest) throws -> URLRequest = { request in
        var request = request
        request.setValue(user, forHTTPHeaderField: "Authorization")
        return request
      }
      let later = Transformer<URLRequest, URLRequest> { (request) async throws in
        try add(request)
      }
      for fetcher in [network.mapKeys(add), network.mapKeys(later)] {
        let verbs = fetcher.limited(toConcurrentGets: 3).retrying(2).timingOut(after: .seconds(60))
          .breakingCircuit(after: .failures(5), retryAfter: .seconds(1)).named("origin")
        let cache = HTTPCache(storedIn: store, from: verbs)
        XCTAssertEqual(try get(cache).response.text, "for \(user)")
      }
    }
    XCTAssertEqual(origin.requests.count, 2)
  }

  func testAnOriginThatTheCacheCannotSeeThroughLeaksNothing() throws {
    let (origin, store) = (
      transport(["Cache-Control": "max-age=60"]), Cache<String, Data>.dictionary()
    )
    for user in ["alice", "bob", "alice"] {
      let session = NetworkSession(origin, fields: ["Authorization": user])
      let network: Fetcher<URLRequest, NetworkResponse> = .responses(session: session)
      let opaque = Fetcher<URLRequest, NetworkResponse> { network.get($0) }
      XCTAssertEqual(
        try get(HTTPCache(storedIn: store, from: opaque)).response.text, "for \(user)")
    }
  }

  func testNoStoreOfASessionReachesNoStore() throws {
    let origin = transport(["Cache-Control": "max-age=60"])
    let store = Cache<String, Data>.dictionary()
    let silent = cache(origin, store, ["Cache-Control": "no-store"])
    XCTAssertFalse(try get(silent).status.isStored)
    let url = Self.url
    let text = CachePresets.pipeline(.utf8, .memory(), silent)
    XCTAssertEqual(try text.get(url).wait(for: .seconds(60)), "for ")
    let undecodable: Codec<Data, String> = Codec(
      decode: { _ throws -> String in throw FakeOrigin.Down() },
      encode: { _ throws -> Data in Data() })
    _ = try? CachePresets.pipeline(undecodable, .memory(), silent).get(url).wait(for: .seconds(60))
    XCTAssertEqual(try get(cache(origin, store)).status.kind, .miss)
  }

  func testASharedCacheFindsNothingOfAPrivateOne() throws {
    let origin = transport(["Cache-Control": "private, max-age=60"])
    let store = Cache<String, Data>.dictionary()
    _ = try get(cache(origin, store))
    let shared = cache(origin, store, isShared: true)
    XCTAssertEqual(try get(shared).status.kind, .miss)
    XCTAssertEqual(try get(shared).status.kind, .miss)
    XCTAssertEqual(try get(cache(origin, store)).status.kind, .hit)
    _ = try get(shared, method: "POST")
    XCTAssertEqual(try get(cache(origin, store)).status.kind, .miss)
  }

  func testAnUnsafeMethodInvalidatesTheResponsesOfAllUsers() throws {
    let (origin, store) = (
      transport(["Cache-Control": "max-age=60"]), Cache<String, Data>.dictionary()
    )
    let cache = cache(origin, store)
    let users: [HeaderFields] = [[:], ["Cookie": "alice"], ["Authorization": "bob"]]
    for fields in users { _ = try get(cache, fields) }
    for fields in users { XCTAssertEqual(try get(cache, fields).status.kind, .hit) }
    _ = try get(cache, method: "POST")
    for fields in users { XCTAssertEqual(try get(cache, fields).status.kind, .miss) }
  }

  func testAStaleResponseOfOneUserAnswersNoOther() throws {
    let scene = HTTPScene("max-age=10, stale-while-revalidate=99, stale-if-error=99")
    try scene.get(["Cookie": "alice"])
    scene.wait(20)
    scene.origin.isDown()
    XCTAssertEqual(try scene.outcome(["Cookie": "alice"]), "hit body")
    for fields: HeaderFields in [["Cookie": "bob"], [:], ["Cookie": "bob", "Range": "bytes=0-1"]] {
      XCTAssertThrowsError(try scene.get(fields))
    }
  }

  func testSecretsAreNotStoredInClearText() throws {
    let bytes = Lock<[String: Data]>([:])
    let dictionary = Cache<String, Data>.dictionary()
    let store = Cache<String, Data>(
      get: dictionary.get,
      set: { key, data in
        bytes.withLock { $0[key] = data }
        return dictionary.set(key, data)
      }, remove: dictionary.remove)
    for vary in ["Authorization, Cookie, X-Key, X-Own", "Accept"] {
      let origin = FakeTransport { _ in
        (200, ["Cache-Control": "max-age=60", "Vary": vary], "body")
      }
      let cache = cache(origin, store, ["X-Key": "secret-1"], secrets: ["X-Key"])
      let fields: HeaderFields = [
        "Authorization": "Bearer secret-2", "Cookie": "secret-3", "X-Own": "secret-4",
      ]
      for kind in [HTTPCacheStatus.Kind.miss, .hit] {
        XCTAssertEqual(try get(cache, fields).status.kind, kind)
      }
      cache.remove(Self.url)
    }
    XCTAssertFalse(bytes.withLock { $0.isEmpty })
    for (key, data) in bytes.withLock({ $0 }) {
      XCTAssertFalse((key + String(decoding: data, as: UTF8.self)).contains("secret"), key)
    }
  }

  func testARedirectThatDropsTheAuthorizationYieldsTheAnswerOfNobody() throws {
    // Another origin sends the client back to the page, without its credentials.
    let origin = FakeTransport { request in
      let user = request.fields["Authorization"] ?? "nobody"
      if request.url.host() == "other.example" {
        return (302, ["Location": "http://example.com/page"], "")
      }
      return user == "alice"
        ? (302, ["Location": "http://other.example/"], "")
        : (200, ["Cache-Control": "max-age=60"], "for \(user)")
    }
    let cache = cache(origin, .dictionary(), ["Authorization": "alice"])
    XCTAssertEqual(try get(cache).response.text, "for nobody")
    XCTAssertEqual(try get(cache).status.kind, .miss)
  }

  func testASharedCacheRefusesACookieWithoutAStatedLifetime() throws {
    let date = HTTPFixtures.date(-100_000)
    let modified: HeaderFields = ["Last-Modified": date, "Set-Cookie": "a=b"]
    let policies = [true, false].map { HTTPCachePolicy(isShared: $0) }
    func refusal(_ index: Int, _ fields: HeaderFields) -> HTTPCachePolicy.Refusal? {
      policies[index].refusal(
        to: .made(HeaderFields(Array(modified) + Array(fields))), for: .made())
    }
    XCTAssertEqual(refusal(0, [:]), .cookie)
    XCTAssertEqual(refusal(1, [:]), nil)
    for control in ["max-age=9", "s-maxage=9", "public", "no-cache=\"set-cookie\""] {
      XCTAssertEqual(refusal(0, ["Cache-Control": control]), nil, control)
    }
  }
}
