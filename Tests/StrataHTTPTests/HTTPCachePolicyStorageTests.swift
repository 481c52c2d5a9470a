import XCTest

@testable import StrataCore
@testable import StrataHTTP
@testable import StrataNetwork
@testable import StrataVerbs

final class HTTPCachePolicyStorageTests: XCTestCase {
  private let policy = HTTPCachePolicy()
  private let shared = HTTPCachePolicy(isShared: true)

  func testNoStoreOfEitherSideRefuses() {
    XCTAssertEqual(policy.refusal(to: .cached("max-age=60, No-Store"), for: .made()), .noStore)
    XCTAssertEqual(
      policy.refusal(
        to: .cached("max-age=60"), for: RequestHead.made(["Cache-Control": "no-store"])),
      .requestNoStore)
  }

  func testPrivateRefusesInASharedCacheOnly() {
    let response = NetworkResponse.cached("private, max-age=60")
    XCTAssertNil(policy.refusal(to: response, for: .made()))
    XCTAssertEqual(shared.refusal(to: response, for: .made()), .isPrivate)
    XCTAssertNil(shared.refusal(to: .cached("private=\"a\", max-age=60"), for: .made()))
  }

  func testAuthorizationRefusesInASharedCacheUnlessTheOriginReleasesTheResponse() {
    let request = RequestHead.made(["Authorization": "FOO"])
    XCTAssertEqual(shared.refusal(to: .cached("max-age=60"), for: request), .authorization)
    XCTAssertNil(policy.refusal(to: .cached("max-age=60"), for: request))
    for directive in ["public", "must-revalidate", "s-maxage=60"] {
      XCTAssertNil(shared.refusal(to: .cached("max-age=60, \(directive)"), for: request), directive)
    }
  }

  func testAnyFinalStatusWithALifetimeIsStored() {
    for status in [200, 299, 302, 307, 400, 403, 499, 500, 503, 599] {
      XCTAssertNil(
        policy.refusal(to: .made(["Cache-Control": "max-age=60"], status: status), for: .made()))
    }
    for status in [100, 103, 199, 304, 1000] {
      XCTAssertEqual(
        policy.refusal(to: .made(["Cache-Control": "max-age=60"], status: status), for: .made()),
        .status)
    }
  }

  func testAStatusThatConcernsItsRequestIsNotStored() {
    for status in [401, 407, 408, 412, 413, 415, 416, 417, 421, 425, 428, 429, 431, 511] {
      for control in ["max-age=60", "public", "max-age=60, must-understand"] {
        XCTAssertEqual(
          policy.refusal(to: .made(["Cache-Control": control], status: status), for: .made()),
          .status, "\(status) \(control)")
      }
    }
  }

  func testAGetWithABodyRefuses() {
    let request = RequestHead(url: HTTPFixtures.url, hasBody: true)
    XCTAssertEqual(policy.refusal(to: .cached("max-age=60"), for: request), .method)
  }

  func testWithoutALifetimeTheStatusOrADirectiveMustAllowIt() {
    XCTAssertNil(policy.refusal(to: .made(), for: .made()))
    XCTAssertEqual(policy.refusal(to: .made(status: 403), for: .made()), .unspecified)
    XCTAssertNil(policy.refusal(to: .made(["Cache-Control": "public"], status: 403), for: .made()))
    let isPrivate = NetworkResponse.made(["Cache-Control": "private"], status: 403)
    XCTAssertNil(policy.refusal(to: isPrivate, for: .made()))
  }

  func testMustUnderstandReplacesNoStoreForAKnownStatus() {
    let control: HeaderFields = ["Cache-Control": "max-age=60, no-store, must-understand"]
    XCTAssertNil(policy.refusal(to: .made(control), for: .made()))
    XCTAssertEqual(policy.refusal(to: .made(control, status: 599), for: .made()), .status)
  }

  func testVaryStarRefuses() {
    for vary in ["*", "*, *", ", *", "Foo, *"] {
      XCTAssertEqual(
        policy.refusal(to: .cached("max-age=60", ["Vary": vary]), for: .made()), .vary, vary)
    }
    XCTAssertEqual(
      policy.refusal(to: .cached("max-age=60", ["Vary": "", "vary": "*"]), for: .made()), .vary)
  }

  func testPostIsStoredIfItStatesItsLifetimeAndItsOwnURL() {
    let post = RequestHead.made(method: "POST")
    for location in ["/page", "http://EXAMPLE.com:80/page#top", ""] {
      XCTAssertNil(
        policy.refusal(to: .cached("max-age=60", ["Content-Location": location]), for: post))
    }
    for fields: HeaderFields in [[:], ["Content-Location": "/other"]] {
      XCTAssertEqual(policy.refusal(to: .cached("max-age=60", fields), for: post), .method)
    }
    XCTAssertEqual(
      policy.refusal(to: .made(["Content-Location": "/page"]), for: post), .method)
    for method in ["HEAD", "PUT", "DELETE", "OPTIONS", "get"] {
      XCTAssertEqual(
        policy.refusal(to: .cached("max-age=60"), for: .made(method: method)), .method)
    }
  }

  func testAPartIsStoredIfItStatesOneRange() {
    let fields: HeaderFields = ["Cache-Control": "max-age=60", "Content-Range": "bytes 0-4/10"]
    XCTAssertNil(policy.refusal(to: .made(fields, status: 206, body: "01234"), for: .made()))
    XCTAssertEqual(
      policy.refusal(to: .made(fields, status: 206, body: "012345"), for: .made()), .range)
    let parts: HeaderFields = ["Content-Type": "multipart/byteranges; boundary=x"]
    XCTAssertEqual(policy.refusal(to: .made(parts, status: 206), for: .made()), .range)
  }
}
