import XCTest

@testable import StrataCore
@testable import StrataHTTP
@testable import StrataVerbs

/// The read modes above an HTTP cache: an HTTP cache is a level and its origin at once.
final class HTTPReadModeTests: XCTestCase {
  private let url = HTTPFixtures.url

  func testStoredAnswersFromTheStoreAndSendsNothing() throws {
    let scene = HTTPScene("max-age=60")
    let offline = scene.pages.stored
    XCTAssertTrue(try XCTUnwrap(offline.get(url).outcome?.error).isMiss)
    XCTAssertEqual(scene.origin.count, 0)
    try scene.get()
    XCTAssertEqual(try offline.get(url).wait(), Data("body".utf8))
    XCTAssertEqual(scene.origin.count, 1)
  }

  func testStoredMissesAStaleResponseThatMustBeValidated() throws {
    let scene = HTTPScene("max-age=60, must-revalidate")
    try scene.get()
    scene.wait(61)
    XCTAssertTrue(try XCTUnwrap(scene.pages.stored.get(url).outcome?.error).isMiss)
    XCTAssertEqual(scene.origin.count, 1)
  }

  func testReloadingValidatesAFreshResponseAndStoresTheAnswer() throws {
    let scene = HTTPScene()
    scene.origin.replies(["Cache-Control": "max-age=60", "ETag": "\"1\""])
    let pages = scene.pages
    _ = try pages.get(url).wait()
    scene.origin.replies { head in
      head.fields["If-None-Match"] == "\"1\""
        ? (200, ["Cache-Control": "max-age=60", "ETag": "\"2\""], "new") : (500, [:], "unasked")
    }
    XCTAssertEqual(try pages.reloading.get(url).wait(), Data("new".utf8))
    XCTAssertEqual(scene.origin.last?.fields["Cache-Control"], "no-cache")
    XCTAssertEqual(try pages.stored.get(url).wait(), Data("new".utf8))
    XCTAssertEqual(scene.origin.count, 2)
  }

  func testAReloadThatIsAnsweredWithNothingNewKeepsTheValue() throws {
    let scene = HTTPScene()
    scene.origin.replies(["Cache-Control": "max-age=60", "ETag": "\"1\""])
    let pages = scene.pages
    _ = try pages.get(url).wait()
    scene.wait(50)
    scene.origin.replies(["Cache-Control": "max-age=60", "ETag": "\"1\""], "", status: 304)
    XCTAssertEqual(try pages.reloading.get(url).wait(), Data("body".utf8))
    scene.wait(50)
    XCTAssertEqual(
      try pages.get(url).wait(), Data("body".utf8), "The 304 renews the value above too.")
    XCTAssertEqual(scene.origin.count, 2)
  }

  func testAReloadFailsWhileTheOriginIsDownAndTheStoredValueMayAnswer() throws {
    let scene = HTTPScene("max-age=60")
    let pages = scene.pages
    _ = try pages.get(url).wait()
    scene.origin.isDown()
    XCTAssertThrowsError(try pages.reloading.get(url).wait())
    XCTAssertEqual(try pages.reloadingOrStored.get(url).wait(), Data("body".utf8))
    XCTAssertEqual(try pages.get(url).wait(), Data("body".utf8), "A failed reload changes nothing.")
  }

  func testAPeekSendsNothing() throws {
    let scene = HTTPScene("max-age=60")
    let pages = scene.pages
    XCTAssertTrue(try XCTUnwrap(pages.peeking.get(url).outcome?.error).isMiss)
    try scene.get()
    XCTAssertEqual(try pages.peeking.get(url).wait(), Data("body".utf8))
    XCTAssertEqual(scene.origin.count, 1)
  }

  func testAnExpiredPageIsLoadedAgain() throws {
    let scene = HTTPScene("max-age=60")
    let pages = scene.pages
    _ = try pages.get(url).wait()
    try pages.operations.expire(url).wait()
    _ = try pages.get(url).wait()
    XCTAssertEqual(scene.origin.count, 2)
  }
}
