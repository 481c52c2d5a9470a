import Foundation
import XCTest

@testable import StrataCore
@testable import StrataHTTP
@testable import StrataNetwork

/// Responses that say nothing about the stored response: those of another URL, and failures that
/// might end at any moment.
final class HTTPExchangeForeignTests: XCTestCase {
  private let login = NetworkResponse.Hop(
    method: "GET", url: HTTPFixtures.url.appending(path: "login"))

  private func staleScene(_ fields: HeaderFields = ["ETag": "\"1\""]) throws -> HTTPScene {
    let scene = HTTPScene()
    scene.origin.replies(HeaderFields([.init(name: "Cache-Control", value: "max-age=9")] + fields))
    try scene.get()
    scene.wait(10)
    return scene
  }

  private func assertRemains(_ scene: HTTPScene, _ text: String) throws {
    scene.origin.redirects([])
    scene.origin.isDown()
    let answer = try scene.get()
    XCTAssertEqual(answer.response.text, "body", text)
    XCTAssertEqual(answer.response.status, 200, text)
    XCTAssertNil(answer.response.fields["Set-Cookie"], text)
  }

  func testAFailureThatMightEndLeavesASuccessInTheStore() throws {
    for status in [302, 303, 307, 400, 401, 402, 403, 407, 412, 416, 429, 451, 500, 503] {
      for control in ["max-age=0", "max-age=60", "no-store", "private", "no-cache"] {
        let scene = try staleScene()
        scene.origin.replies(["Cache-Control": control, "Location": "/login"], status: status)
        XCTAssertEqual(try scene.get().response.status, status)
        try assertRemains(scene, "\(status) \(control)")
      }
    }
  }

  func testAbsenceAndANewSuccessRemoveTheirPredecessor() throws {
    for status in [200, 404, 410] {
      let scene = try staleScene()
      scene.origin.replies(["Cache-Control": "no-store"], status: status)
      try scene.get()
      scene.origin.isDown()
      XCTAssertThrowsError(try scene.get(), "\(status)")
    }
  }

  func testAStoredFailureIsReplacedByAFailure() throws {
    let scene = HTTPScene()
    scene.origin.replies(["Cache-Control": "max-age=9"], "old", status: 403)
    try scene.get()
    scene.wait(10)
    scene.origin.replies(["Cache-Control": "max-age=9"], "new", status: 403)
    XCTAssertEqual(try scene.outcome(), "miss new")
    XCTAssertEqual(try scene.outcome(), "hit new")
  }

  func testA416NeitherAnswersOthersNorReplacesASuccess() throws {
    let range: HeaderFields = ["Range": "bytes=99-"]
    let unsatisfied: HeaderFields = ["Cache-Control": "max-age=60", "Content-Range": "bytes */4"]
    let empty = HTTPScene()
    empty.origin.replies(unsatisfied, "", status: 416)
    XCTAssertFalse(try empty.get(range).status.isStored)
    empty.origin.replies([:])
    XCTAssertEqual(try empty.outcome(), "miss body")
    let scene = try staleScene()
    scene.origin.replies(unsatisfied, "", status: 416)
    XCTAssertEqual(try scene.get(range).response.status, 416)
    try assertRemains(scene, "416")
  }

  func testARedirectedValidationLeavesTheResponse() throws {
    for status in [200, 206, 404, 410] {
      let scene = try staleScene()
      scene.origin.redirects([login])
      scene.origin.replies(
        ["Cache-Control": "max-age=60", "Set-Cookie": "a", "ETag": "\"1\""], "login",
        status: status)
      let answer = try scene.get()
      XCTAssertEqual(answer.response.text, "login")
      XCTAssertEqual(answer.status.detail, "redirect")
      try assertRemains(scene, "\(status)")
    }
  }

  func testA304OfAnotherURLIsFollowedByAnUnconditionalRequest() throws {
    let scene = try staleScene()
    scene.origin.redirects([login])
    scene.origin.replies { head in
      head.fields.contains("If-None-Match") ? (304, ["Set-Cookie": "a"], "") : (200, [:], "login")
    }
    XCTAssertEqual(try scene.get(["If-None-Match": "\"0\""]).response.text, "login")
    try assertRemains(scene, "304")
  }

  func testAHeadOfAnotherURLDoesNotFreshen() throws {
    for fields: HeaderFields in [["Content-Type": "text/html"], ["ETag": "\"2\""]] {
      let scene = try staleScene([:])
      scene.origin.redirects([login])
      scene.origin.replies(
        HeaderFields(
          fields + [.init(name: "Set-Cookie", value: "a")]
            + [.init(name: "Cache-Control", value: "max-age=600")]))
      XCTAssertEqual(try scene.get(method: "HEAD").status.isStored, false)
      try assertRemains(scene, "\(fields)")
    }
  }

  func testAPartOfAnotherURLCompletesNothing() throws {
    let scene = HTTPScene()
    let part: HeaderFields = ["Cache-Control": "max-age=60", "ETag": "\"1\""]
    scene.origin.replies(
      HeaderFields(part + [.init(name: "Content-Range", value: "bytes 0-4/10")]), "01234",
      status: 206)
    try scene.get(["Range": "bytes=0-4"])
    scene.origin.redirects([login])
    scene.origin.replies { head in
      guard head.fields.contains("Range") else { return (200, part, "login page") }
      return (
        206, HeaderFields(part + [.init(name: "Content-Range", value: "bytes 5-9/10")]), "LOGIN"
      )
    }
    XCTAssertEqual(try scene.get().response.text, "login page")
    XCTAssertNil(scene.origin.last?.fields["Range"])
    XCTAssertEqual(try scene.outcome(["Range": "bytes=0-4"]), "hit 01234")
  }

  func testAStoredFailureIsNeverValidatedOrFreshened() throws {
    for method in ["GET", "HEAD"] {
      let scene = HTTPScene()
      let absent: HeaderFields = [
        "Cache-Control": "max-age=9", "Last-Modified": HTTPFixtures.date(-9), "ETag": "\"page\"",
      ]
      scene.origin.replies(absent, "absent", status: 404)
      try scene.get()
      scene.wait(10)
      scene.origin.replies { head in
        head.fields.contains("If-None-Match") ? (304, [:], "") : (200, [:], "present")
      }
      XCTAssertEqual(try scene.get(method: method).response.status, 200)
      XCTAssertEqual(try scene.get().response.text, "present")
    }
  }
}
