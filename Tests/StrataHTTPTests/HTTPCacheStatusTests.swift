import XCTest

@testable import StrataCore
@testable import StrataHTTP
@testable import StrataNetwork

final class HTTPCacheStatusTests: XCTestCase {
  private func field(_ fields: HeaderFields = [:], method: String = "GET", in scene: HTTPScene)
    throws -> String
  {
    try scene.get(fields, method: method).status.field()
  }

  func testEachOutcomeHasItsField() throws {
    let scene = HTTPScene()
    scene.origin.replies(["Cache-Control": "max-age=10", "ETag": "\"1\"", "Vary": "Foo"])
    XCTAssertEqual(try field(in: scene), "strata; fwd=uri-miss; fwd-status=200; stored")
    XCTAssertEqual(try field(in: scene), "strata; hit; ttl=10")
    XCTAssertEqual(
      try field(["Foo": "1"], in: scene), "strata; fwd=vary-miss; fwd-status=200; stored")
    scene.wait(11)
    XCTAssertEqual(
      try field(["Cache-Control": "max-stale"], in: scene), "strata; hit; ttl=-1; detail=max-stale")
    scene.origin.replies(["Vary": "Foo"], "", status: 304)
    XCTAssertEqual(try field(in: scene), "strata; fwd=stale; fwd-status=304; stored")
    scene.origin.replies(["Cache-Control": "no-store"])
    XCTAssertEqual(
      try field(["Cache-Control": "no-cache"], in: scene),
      "strata; fwd=request; fwd-status=200; detail=no-store")
    XCTAssertEqual(try field(method: "POST", in: scene), "strata; fwd=method; fwd-status=200")
  }

  func testTheNameOfTheCacheIsTheFirstMember() {
    XCTAssertEqual(HTTPCacheStatus(.hit, timeToLive: 3).field("edge"), "edge; hit; ttl=3")
  }
}
