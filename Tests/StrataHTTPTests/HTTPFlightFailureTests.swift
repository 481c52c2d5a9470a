import XCTest

@testable import StrataCore
@testable import StrataHTTP
@testable import StrataNetwork

/// Tests that a failure which concerns only the leader isn't the failure of the waiting requests.
final class HTTPFlightFailureTests: XCTestCase {
  func testALeaderThatRunsOutOfItsOwnTimeIsReplaced() throws {
    for isStored in [false, true] {
      let scene = HTTPScene("max-age=10")
      if isStored { try scene.get() }
      scene.wait(20)
      scene.origin.hold()
      let answers = [0.5, 60, 0.5, 3].map { timeout in
        var request = HTTPScene.request()
        request.timeoutInterval = timeout
        return scene.cache.answer(to: request)
      }
      let before = scene.origin.count
      scene.origin.replies { _ in
        throw NetworkError(.deadlinePassed(.seconds(0.5)), url: HTTPFixtures.url)
      }
      scene.origin.step()
      XCTAssertEqual(scene.origin.count, before + 1)
      scene.origin.replies(["Cache-Control": "max-age=60"], "new")
      scene.origin.step()
      for index in [1, 3] { XCTAssertEqual(try answers[index].wait().response.text, "new") }
      for index in [0, 2] {
        XCTAssertEqual(answers[index].outcome?.value?.response.text, isStored ? "body" : nil)
      }
      XCTAssertEqual(scene.origin.count, before + 1)
    }
  }

  func testTheErrorOfAHeadAnswersNoGet() throws {
    for status in [501, 503, 404] {
      let scene = HTTPScene("max-age=10")
      try scene.get()
      scene.wait(20)
      scene.origin.replies { head in
        head.method == "HEAD" ? (status, [:], "") : (200, ["Cache-Control": "max-age=60"], "new")
      }
      scene.origin.hold()
      let head = scene.start(method: "HEAD")
      let gets = (0..<50).map { _ in scene.start() }
      XCTAssertEqual(scene.origin.count, 2)
      scene.origin.step()
      XCTAssertEqual(scene.origin.count, 3)
      scene.origin.step()
      XCTAssertEqual(try head.wait().response.status, status)
      for get in gets { XCTAssertEqual(try get.wait().response.text, "new") }
    }
  }
}
