import Foundation
import XCTest

@testable import StrataCore
@testable import StrataVerbs

final class RequestKeyTests: XCTestCase {
  private func request(
    _ url: String = "http://a.test/", _ method: String = "GET", body: String? = nil,
    fields: [String: String] = [:]
  ) throws -> URLRequest {
    var request = URLRequest(url: try XCTUnwrap(URL(string: url)))
    request.httpMethod = method
    request.httpBody = body.map { Data($0.utf8) }
    for (name, value) in fields { request.setValue(value, forHTTPHeaderField: name) }
    return request
  }

  func testKeysCompareWhatIsSent() throws {
    let keys = try [
      request(), request("http://a.test/?b"), request("http://bob:b@a.test/"), request(body: "a"),
      request(body: "b"), request(fields: ["Authorization": "alice"]),
      request(fields: ["Authorization": "bob"]), request(fields: ["X": "alice"]),
      request("http://a.test/", "HEAD"), request("http://a.test/", "POST", body: "a"),
    ].map { RequestKey($0) }
    XCTAssertEqual(Set(keys).count, keys.count)
    var policy = try request()
    policy.cachePolicy = .reloadIgnoringLocalCacheData
    XCTAssertNotEqual(RequestKey(policy), keys[0])
    XCTAssertNotEqual(
      RequestKey(try request(fields: ["X": "\u{e9}"])),
      RequestKey(try request(fields: ["X": "e\u{301}"])))
    var patient = try request(fields: ["Accept": "a"])
    patient.timeoutInterval = 5
    XCTAssertEqual(RequestKey(patient), RequestKey(try request(fields: ["accept": "a"])))
    XCTAssertEqual(
      RequestKey(patient).hashValue, RequestKey(try request(fields: ["accept": "a"])).hashValue)
  }

  func testOnlySafeMethodsAreReusable() throws {
    for (method, isReusable) in [("GET", true), ("HEAD", true), ("POST", false), ("PUT", false)] {
      XCTAssertEqual(RequestKey(try request("/", method)).isReusable, isReusable, method)
    }
    XCTAssertTrue(RequestKey(try request("/", "POST"), isReusable: true).isReusable)
    var stream = try request("/", "POST")
    stream.httpBodyStream = InputStream(data: Data())
    XCTAssertFalse(RequestKey(stream, isReusable: true).isReusable)
  }

  /// Foundation's `==` of `URLRequest` ignores the body and the fields. Strata compares them
  /// wherever one get's value could answer another get.
  func testAValueOfOneRequestNeverAnswersAnother() throws {
    let alice = try request(body: "alice", fields: ["Authorization": "alice"])
    let bob = try request(body: "bob", fields: ["Authorization": "bob"])
    XCTAssertEqual(alice, bob)
    let loads = Lock<[String]>([])
    let origin = Fetcher<URLRequest, String>(offMainThread: false) { request in
      let user = String(decoding: request.httpBody ?? Data(), as: UTF8.self)
      loads.withLock { $0.append(user) }
      if user == "nobody" { throw CacheError.notFound }
      return user
    }
    for cache: Cache<URLRequest, String> in [
      .memory() + origin, .dictionary() + origin, .memory() + origin.pooled(),
      .memory() + origin.rememberingMisses(for: .seconds(9)),
    ] {
      loads.withLock { $0 = [] }
      for _ in 0..<2 {
        XCTAssertEqual(cache.get(alice).outcome?.value, "alice")
        XCTAssertEqual(cache.get(bob).outcome?.value, "bob")
      }
      XCTAssertEqual(loads.withLock { $0 }, ["alice", "bob"])
      _ = cache.remove(alice)
      XCTAssertEqual(cache.get(bob).outcome?.value, "bob")
      XCTAssertEqual(loads.withLock { $0 }, ["alice", "bob"])
    }
  }

  func testAMissOfOneRequestDoesntAnswerAnother() throws {
    let origin = Fetcher<URLRequest, String>(offMainThread: false) { request in
      guard request.value(forHTTPHeaderField: "Authorization") == "alice" else {
        throw CacheError.notFound
      }
      return "alice"
    }
    let cache = origin.rememberingMisses(for: .seconds(9))
    XCTAssertNil(cache.get(try request(fields: ["Authorization": "bob"])).outcome?.value)
    XCTAssertEqual(
      cache.get(try request(fields: ["Authorization": "alice"])).outcome?.value, "alice")
  }

  func testOverlappingGetsOfDifferentRequestsArentPooled() throws {
    let started = Lock<[Promise<String>.Continuation]>([])
    let origin = Fetcher<URLRequest, String>(
      get: { _ in
        Promise<String> { continuation in started.withLock { $0.append(continuation) } }
      }, plan: .level("origin", .origin)
    ).pooled()
    let gets = try [
      request(body: "a"), request(body: "b"), request(body: "a"),
      request("http://a.test/", "POST", body: "a"), request("http://a.test/", "POST", body: "a"),
    ].map { origin.get($0) }
    XCTAssertEqual(started.withLock { $0.count }, 4)
    for get in gets { get.cancel() }
  }

  /// A POST is sent for each get, unless the key says that an earlier value can answer it.
  func testAPOSTIsNeitherPooledNorStored() throws {
    let post = try request("http://a.test/", "POST", body: "order")
    let loads = Lock(0)
    let count: @Sendable () -> String = {
      loads.withLock { count in
        count += 1
        return "\(count)"
      }
    }
    let cache: Cache<URLRequest, String> =
      .memory() + Fetcher(offMainThread: false) { _ in count() }.pooled()
    XCTAssertEqual(cache.get(post).outcome?.value, "1")
    XCTAssertEqual(cache.get(post).outcome?.value, "2")
    let keyed: Cache<RequestKey, String> =
      .memory() + Fetcher(offMainThread: false) { _ in count() }.pooled()
    XCTAssertEqual(keyed.get(RequestKey(post)).outcome?.value, "3")
    XCTAssertEqual(keyed.get(RequestKey(post)).outcome?.value, "4")
    let search = RequestKey(post, isReusable: true)
    XCTAssertEqual(keyed.get(search).outcome?.value, "5")
    XCTAssertEqual(keyed.get(search).outcome?.value, "5")
  }
}
