import Foundation
import XCTest

@testable import StrataCore
@testable import StrataVerbs

final class BulkLoadingRequestsTests: XCTestCase {
  func testABatchNeverMixesRequestsThatADictionaryConfuses() throws {
    let url = try XCTUnwrap(URL(string: "http://a.test/"))
    var (alice, bob) = (URLRequest(url: url), URLRequest(url: url))
    alice.httpBody = Data("alice".utf8)
    bob.httpBody = Data("bob".utf8)
    let fetcher = Fetcher<URLRequest, String>.bulkLoading(window: .seconds(99), limit: 2) {
      (keys: [URLRequest]) -> Promise<[URLRequest: String]> in
      Promise(
        outcome: .success(
          Dictionary(
            uniqueKeysWithValues: keys.map {
              ($0, String(decoding: $0.httpBody ?? Data(), as: UTF8.self))
            })))
    }
    let gets = [fetcher.get(alice), fetcher.get(bob)]
    XCTAssertEqual(gets.map { $0.outcome?.value }, ["alice", "bob"])
  }

  /// Each equal POST needs a call of its own. The requests before and after it share calls.
  func testEqualPOSTsAreLoadedSeparatelyAndOtherRequestsTogether() throws {
    let url = try XCTUnwrap(URL(string: "http://a.test/"))
    var post = URLRequest(url: url)
    post.httpMethod = "POST"
    let get = URLRequest(url: url)
    let calls = Lock<[[String]]>([])
    let fetcher = Fetcher<URLRequest, String>.bulkLoading(window: .seconds(99), limit: 402) {
      (keys: [URLRequest]) -> Promise<[URLRequest: String]> in
      calls.withLock { $0.append(keys.map { $0.httpMethod ?? "GET" }) }
      return Promise(
        outcome: .success(Dictionary(uniqueKeysWithValues: keys.map { ($0, "answer") })))
    }
    let gets = ([get] + Array(repeating: post, count: 400) + [get]).map { fetcher.get($0) }
    XCTAssertEqual(gets.filter { $0.outcome?.value == "answer" }.count, 402)
    XCTAssertEqual(
      calls.withLock { $0 }, [["GET", "POST"]] + Array(repeating: ["POST"], count: 399))
  }
}
