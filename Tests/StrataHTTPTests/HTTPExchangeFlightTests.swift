import XCTest

@testable import StrataCore
@testable import StrataDisk
@testable import StrataHTTP
@testable import StrataNetwork
@testable import StrataVerbs

/// Tests how requests wait for a leader whose response doesn't fit all of them.
final class HTTPExchangeFlightTests: XCTestCase {
  private static let languages = ["en", "de", "fr"]

  /// Answers the requests that the origin holds until no more follow. Returns the number of
  /// requests that were in flight at each time.
  private func rounds(_ scene: HTTPScene) -> [Int] {
    var (rounds, count) = ([Int](), 0)
    while scene.origin.count > count {
      rounds.append(scene.origin.count - count)
      count = scene.origin.count
      scene.origin.step()
    }
    return rounds
  }

  func testWaitersBehindAHeadElectALeader() throws {
    let scene = HTTPScene("max-age=60")
    scene.origin.hold()
    let head = scene.start(method: "HEAD")
    let gets = (0..<50).map { _ in scene.start() }
    XCTAssertEqual(rounds(scene), [2])
    XCTAssertEqual(try head.wait().response.text, "")
    for get in gets { XCTAssertEqual(try get.wait().response.text, "body") }
  }

  func testWaitersElectALeaderForEachVariant() throws {
    let scene = HTTPScene()
    scene.origin.replies { head in
      let language = head.fields["Accept-Language"] ?? "none"
      return (200, ["Cache-Control": "max-age=60", "Vary": "Accept-Language"], language)
    }
    scene.origin.hold()
    let answers = (0..<51).map { scene.start(["Accept-Language": Self.languages[$0 % 3]]) }
    XCTAssertEqual(rounds(scene), [1, 2])
    for (index, answer) in answers.enumerated() {
      XCTAssertEqual(try answer.wait().response.text, Self.languages[index % 3])
    }
  }

  func testAKnownVariantHasItsOwnFlight() throws {
    let scene = HTTPScene()
    scene.origin.replies { head in
      let language = head.fields["Accept-Language"] ?? "none"
      return (200, ["Cache-Control": "max-age=60", "Vary": "Accept-Language"], language)
    }
    try scene.get()
    scene.origin.hold()
    let answers = (0..<51).map { scene.start(["Accept-Language": Self.languages[$0 % 3]]) }
    XCTAssertEqual(scene.origin.count, 4)
    XCTAssertEqual(rounds(scene), [4])
    for (index, answer) in answers.enumerated() {
      XCTAssertEqual(try answer.wait().response.text, Self.languages[index % 3])
    }
  }

  func testWaitersShareAnErrorOfTheOrigin() throws {
    let scene = HTTPScene()
    scene.origin.replies([:], "later", status: 503)
    scene.origin.hold()
    let answers = (0..<51).map { _ in scene.start() }
    XCTAssertEqual(rounds(scene), [1])
    for answer in answers { XCTAssertEqual(try answer.wait().response.text, "later") }
    scene.origin.isDown()
    let failures = (0..<51).map { _ in scene.start() }
    XCTAssertEqual(rounds(scene).reduce(0, +) - 1, 1)
    for failure in failures { XCTAssertThrowsError(try failure.wait()) }
  }

  /// An origin that limits its clients must not receive all of them at once.
  func testWaitersShareARefusalForTooManyRequests() throws {
    for isStale in [false, true] {
      let scene = HTTPScene("max-age=10")
      if isStale { try scene.get() }
      scene.wait(20)
      scene.origin.replies(["Retry-After": "9"], "slower", status: 429)
      scene.origin.hold()
      let answers = (0..<51).map { _ in scene.start() }
      XCTAssertEqual(rounds(scene), [isStale ? 2 : 1])
      for answer in answers { XCTAssertEqual(try answer.wait().response.status, 429) }
    }
  }

  /// The cache removes the conditions of a client before it asks, so the leader's answer fits all.
  func testWaitersBehindALeaderWithItsOwn304ShareItsResponse() throws {
    let conditions: [HeaderFields] = [
      ["If-None-Match": "\"1\""], ["If-Modified-Since": HTTPFixtures.date(0)],
      ["If-None-Match": "\"1\"", "If-Modified-Since": HTTPFixtures.date(-1)],
    ]
    for condition in conditions {
      for isStale in [false, true] {
        let scene = HTTPScene()
        let fields: HeaderFields = [
          "Cache-Control": "max-age=10", "ETag": "\"1\"", "Last-Modified": HTTPFixtures.date(0),
        ]
        scene.origin.replies { head in
          Conditions.isUnmodified(.made(fields), for: head.fields)
            ? (304, fields, "") : (200, fields, "body")
        }
        if isStale { try scene.get() }
        scene.wait(20)
        scene.origin.hold()
        let leader = scene.start(condition)
        let waiters = (0..<50).map { $0 % 2 == 0 ? scene.start() : scene.start(condition) }
        XCTAssertEqual(rounds(scene).last, isStale ? 2 : 1)
        XCTAssertEqual(try leader.wait().response.status, 304)
        for (index, waiter) in waiters.enumerated() {
          let answer = try waiter.wait()
          XCTAssertEqual(answer.response.status, index % 2 == 0 ? 200 : 304)
          XCTAssertEqual(answer.response.text, index % 2 == 0 ? "body" : "")
        }
      }
    }
  }

  func testWaitersWithAStaleResponseDoNotWaitTwice() throws {
    for isDown in [true, false] {
      let scene = HTTPScene()
      scene.origin.replies(["Cache-Control": "max-age=10, stale-if-error=60", "ETag": "\"1\""])
      try scene.get()
      scene.wait(20)
      if isDown { scene.origin.isDown() } else { scene.origin.replies([:], "no", status: 503) }
      scene.origin.hold()
      let answers = (0..<51).map { _ in scene.start() }
      scene.origin.step()
      XCTAssertEqual(scene.origin.count, 2)
      for answer in answers {
        let answer = try answer.wait()
        XCTAssertEqual(answer.response.text, "body")
        XCTAssertEqual(answer.status.detail, "stale-if-error")
      }
    }
  }

  func testABurstForAnUnstorableResponseWaitsOnlyOnce() throws {
    for control in ["no-store", "max-age=0"] {
      let scene = HTTPScene(control)
      scene.origin.hold()
      func burst() -> [Int] {
        let before = scene.origin.count
        let answers = (0..<10).map { _ in scene.start() }
        var (rounds, count) = ([Int](), before)
        while scene.origin.count > count {
          rounds.append(scene.origin.count - count)
          count = scene.origin.count
          scene.origin.step()
        }
        return answers.allSatisfy { $0.outcome?.value != nil } ? rounds : []
      }
      XCTAssertEqual(burst(), [1, 9], control)
      XCTAssertEqual(burst(), [10], control)
      scene.wait(10)
      XCTAssertEqual(burst(), [1, 9], control)
    }
  }

  func testAnAuthorizedLeaderInASharedCacheLeadsItsOwnFlight() throws {
    let scene = HTTPScene("max-age=60", isShared: true)
    scene.origin.hold()
    let alice = scene.start(["Authorization": "alice"])
    let others = (0..<50).map { _ in scene.start() }
    XCTAssertEqual(rounds(scene), [2])
    XCTAssertEqual(try alice.wait().status.detail, "authorization")
    for other in others { XCTAssertEqual(try other.wait().response.text, "body") }
  }

  func testAnErrorThatASharedCacheMustNotStoreIsNotShared() throws {
    for fields: HeaderFields in [
      ["Cache-Control": "private"], ["Set-Cookie": "a=b", "Cache-Control": "no-store"],
      ["Set-Cookie": "a=b"], ["Vary": "*"],
    ] {
      let scene = HTTPScene(isShared: true)
      scene.origin.replies(fields, "later", status: 503)
      scene.origin.hold()
      let answers = (0..<5).map { _ in scene.start() }
      XCTAssertEqual(rounds(scene), [1, 4])
      for answer in answers { XCTAssertEqual(try answer.wait().response.text, "later") }
    }
  }

  func testAnOvertakenLeaderIsReplaced() throws {
    let scene = HTTPScene("max-age=60")
    scene.origin.hold()
    let answers = (0..<50).map { _ in scene.start() }
    scene.cache.remove(HTTPFixtures.url)
    XCTAssertEqual(rounds(scene), [1, 1])
    for answer in answers { XCTAssertEqual(try answer.wait().response.text, "body") }
  }

  func testAPostThroughAnotherCacheOvertakesAGet() throws {
    let scene = HTTPScene("max-age=60")
    let mapped: Cache<String, Data> = scene.store.named("store").limited(toConcurrentGets: 9)
    let other = HTTPCache(storedIn: mapped, from: scene.origin.fetcher, clock: scene.origin.time)
    scene.origin.hold()
    let old = scene.start()
    let post = other.answer(to: HTTPScene.request(method: "POST"))
    scene.origin.release()
    _ = try (old.wait(), post.wait())
    scene.origin.hold()
    let slow = scene.start(["Cache-Control": "no-cache"])
    other.remove(HTTPFixtures.url)
    scene.origin.release()
    XCTAssertFalse(try slow.wait().status.isStored)
    XCTAssertEqual(try scene.outcome(), "miss body")
  }

  func testTwoDiskLevelsOfOneDirectoryAreOneStore() {
    let directory = FileManager.default.temporaryDirectory
      .appendingPathComponent("strata-\(UUID().uuidString)", isDirectory: true)
    defer { try? FileManager.default.removeItem(at: directory) }
    let (one, two) = (
      Cache<String, Data>.disk("http", in: directory),
      Cache<String, Data>.memory() + .disk("http", in: directory).awaitedInSum(atMost: .seconds(1))
    )
    let other = Cache<String, Data>.disk("other", in: directory)
    let activity = StoreActivity.of(one)
    XCTAssertTrue(activity === StoreActivity.of(two))
    XCTAssertFalse(activity === StoreActivity.of(other))
    XCTAssertFalse(StoreActivity.of(.dictionary()) === StoreActivity.of(.dictionary()))
  }
}
