import XCTest

@testable import StrataCore
@testable import StrataHTTP
@testable import StrataNetwork
@testable import StrataVerbs

/// Tests stale responses, and origins that fail.
final class HTTPExchangeForwardTests: XCTestCase {
  func testStaleWhileRevalidateAnswersAndValidatesOnce() throws {
    let scene = HTTPScene("max-age=1, stale-while-revalidate=10")
    try scene.get()
    scene.wait(5)
    scene.origin.replies(["Cache-Control": "max-age=60"], "new")
    scene.origin.hold()
    for _ in 0..<3 { XCTAssertEqual(try scene.outcome(), "hit body") }
    XCTAssertEqual(scene.origin.count, 2)
    scene.origin.release()
    XCTAssertEqual(try scene.outcome(), "hit new")
    XCTAssertEqual(scene.origin.count, 2)
  }

  func testAfterTheWindowTheValidationIsAwaited() throws {
    let scene = HTTPScene("max-age=1, stale-while-revalidate=10")
    try scene.get()
    scene.wait(11)
    scene.origin.replies([:], "new")
    XCTAssertEqual(try scene.outcome(), "miss new")
  }

  func testABackgroundValidationThatFailsLeavesTheResponse() throws {
    let scene = HTTPScene("max-age=1, stale-while-revalidate=10")
    try scene.get()
    scene.wait(5)
    scene.origin.isDown()
    for _ in 0..<2 { XCTAssertEqual(try scene.outcome(), "hit body") }
    XCTAssertEqual(scene.origin.count, 3)
  }

  func testStaleIfErrorAnswersForAnError() throws {
    let scene = HTTPScene("max-age=1, stale-if-error=10")
    try scene.get()
    scene.wait(5)
    scene.origin.replies([:], "broken", status: 503)
    let answer = try scene.get()
    XCTAssertEqual(answer.response.text, "body")
    XCTAssertEqual(
      answer.status.field(), "strata; fwd=stale; fwd-status=503; detail=stale-if-error")
    scene.wait(6)
    XCTAssertEqual(try scene.get().response.status, 503)
    scene.origin.isDown()
    XCTAssertEqual(try scene.outcome(), "hit body")
  }

  func testAnErrorDoesNotReplaceAStaleResponse() throws {
    let scene = HTTPScene("max-age=1")
    try scene.get()
    scene.wait(5)
    scene.origin.replies(["Cache-Control": "no-store"], "broken", status: 500)
    XCTAssertEqual(try scene.outcome(), "miss broken")
    scene.origin.isDown()
    XCTAssertEqual(try scene.outcome(), "hit body")
  }

  func testAnUnreachableOriginIsReplacedByAStaleResponse() throws {
    let scene = HTTPScene("max-age=1")
    try scene.get()
    scene.wait(5)
    scene.origin.isDown()
    XCTAssertEqual(try scene.outcome(), "hit body")
    XCTAssertThrowsError(try scene.get(["Cache-Control": "no-cache"])) { error in
      XCTAssertTrue(error is FakeOrigin.Down)
    }
    XCTAssertThrowsError(try scene.get(url: HTTPFixtures.url.appending(path: "other")))
  }

  func testMustRevalidateReportsTheFailure() throws {
    for control in ["max-age=1, must-revalidate", "max-age=1, no-cache"] {
      let scene = HTTPScene(control)
      try scene.get()
      scene.wait(5)
      scene.origin.isDown()
      XCTAssertThrowsError(try scene.get(), control)
    }
  }

  func testARefusedRequestIsNotAnUnreachableOrigin() throws {
    let scene = HTTPScene("max-age=1")
    try scene.get()
    scene.wait(5)
    scene.origin.replies { _ in throw NetworkError(.tooLarge(maximum: 1), url: nil) }
    XCTAssertThrowsError(try scene.get())
  }

  func testInterimResponsesBelongToTheRequestThatReachedTheOrigin() throws {
    let scene = HTTPScene()
    scene.origin.replies(["Cache-Control": "max-age=60", "ETag": "\"1\""])
    let hints = NetworkResponse.Interim(status: 103, fields: ["Link": "a"])
    scene.origin.precedes([hints])
    XCTAssertEqual(try scene.get().response.interim, [hints])
    XCTAssertEqual(try scene.get().response.interim, [])
    scene.wait(60)
    scene.origin.replies([:], "", status: 304)
    XCTAssertEqual(try scene.get().response.interim, [hints])
  }

  /// If an origin gives the same entity tag to all variants of a URL, a request with another
  /// variant's tag can select the wrong variant. RFC 9111, section 4.1, allows a cache to send the
  /// tags of other variants, but doesn't require it.
  func testTheTagOfAnotherVariantValidatesNothing() throws {
    let scene = HTTPScene()
    scene.origin.replies { head in
      let isKnown = head.fields["If-None-Match"] == "\"same\""
      let fields: HeaderFields = ["Cache-Control": "max-age=60", "Vary": "Foo", "ETag": "\"same\""]
      return (isKnown ? 304 : 200, fields, isKnown ? "" : "body \(head.fields["Foo"] ?? "")")
    }
    for foo in ["1", "2"] {
      XCTAssertEqual(try scene.outcome(["Foo": foo]), "miss body \(foo)")
      XCTAssertNil(scene.origin.last?.fields["If-None-Match"])
    }
    scene.wait(60)
    XCTAssertEqual(try scene.outcome(["Foo": "1"]), "revalidated body 1")
  }

  func testBackgroundValidationsOfASlowOriginAreOne() throws {
    let scene = HTTPScene("max-age=1, stale-while-revalidate=10")
    scene.origin.hold()
    let answers = (0..<3).map { _ in scene.start() }
    // The response is too old when it arrives, so requests don't wait for the next one.
    scene.wait(20)
    scene.origin.step()
    XCTAssertEqual(scene.origin.count, 3)
    scene.origin.step()
    for answer in answers { XCTAssertEqual(try answer.wait().response.text, "body") }
    scene.wait(2)
    for _ in 0..<5 { XCTAssertEqual(try scene.get().status.detail, "stale-while-revalidate") }
    XCTAssertEqual(scene.origin.count, 4)
  }
}
