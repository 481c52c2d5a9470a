import XCTest

@testable import StrataCore
@testable import StrataHTTP
@testable import StrataVerbs

final class HTTPCacheTests: XCTestCase {
  func testTheCachePolicyOfARequestIsObeyed() throws {
    // The outcomes on an empty store, of a fresh response, and of a stale response.
    let outcomes: [(URLRequest.CachePolicy, [String])] = [
      (.useProtocolCachePolicy, ["miss 200", "hit 200", "miss 200"]),
      (.reloadIgnoringLocalCacheData, ["miss 200", "miss 200", "miss 200"]),
      (.reloadIgnoringLocalAndRemoteCacheData, ["miss 200", "miss 200", "miss 200"]),
      (.reloadRevalidatingCacheData, ["miss 200", "miss 200", "miss 200"]),
      (.returnCacheDataElseLoad, ["miss 200", "hit 200", "hit 200"]),
      (.returnCacheDataDontLoad, ["passed 504", "hit 200", "hit 200"]),
    ]
    for (policy, expected) in outcomes {
      let scene = HTTPScene("max-age=10")
      var request = HTTPScene.request()
      request.cachePolicy = policy
      func outcome() throws -> String {
        let answer = try scene.cache.answer(to: request).wait(for: .seconds(300))
        return "\(answer.status.kind) \(answer.response.status)"
      }
      var found = [try outcome()]
      try scene.get()
      scene.wait(1)
      found.append(try outcome())
      scene.wait(20)
      found.append(try outcome())
      XCTAssertEqual(found, expected, "\(policy.rawValue)")
    }
  }

  func testAFreshResponseIsAHitUntilItsEnd() throws {
    let scene = HTTPScene("max-age=60")
    XCTAssertEqual(try scene.outcome(), "miss body")
    scene.wait(59)
    let hit = try scene.get()
    XCTAssertEqual(hit.status, HTTPCacheStatus(.hit, timeToLive: 1))
    XCTAssertEqual(hit.response.fields["Age"], "59")
    scene.wait(1)
    XCTAssertEqual(try scene.outcome(), "miss body")
    XCTAssertEqual(scene.origin.count, 2)
  }

  func testAStaleResponseIsValidatedAndUpdated() throws {
    let scene = HTTPScene()
    scene.origin.replies(["Cache-Control": "max-age=10", "ETag": "\"1\"", "A": "1"])
    try scene.get()
    scene.wait(11)
    scene.origin.replies(["Cache-Control": "max-age=60", "A": "2"], "", status: 304)
    let answer = try scene.get()
    XCTAssertEqual(scene.origin.last?.fields["If-None-Match"], "\"1\"")
    XCTAssertEqual(answer.status.kind, .revalidated)
    XCTAssertEqual(answer.response.status, 200)
    XCTAssertEqual(answer.response.text, "body")
    XCTAssertEqual(answer.response.fields["A"], "2")
    scene.wait(59)
    XCTAssertEqual(try scene.outcome(), "hit body")
  }

  func testANewResponseReplacesTheStaleOne() throws {
    let scene = HTTPScene()
    scene.origin.replies(["Cache-Control": "max-age=10", "ETag": "\"1\""])
    try scene.get()
    scene.wait(11)
    scene.origin.replies(["Cache-Control": "max-age=10", "ETag": "\"2\""], "new")
    XCTAssertEqual(try scene.outcome(), "miss new")
    XCTAssertEqual(try scene.outcome(), "hit new")
  }

  func testA304ForAnotherTagIsFollowedByAnUnconditionalRequest() throws {
    let scene = HTTPScene()
    scene.origin.replies(["Cache-Control": "max-age=10", "ETag": "\"1\""])
    try scene.get()
    scene.wait(11)
    scene.origin.replies { head in
      head.fields.contains("If-None-Match")
        ? (304, ["ETag": "\"2\""], "") : (200, ["ETag": "\"2\""], "new")
    }
    XCTAssertEqual(try scene.outcome(), "miss new")
    XCTAssertEqual(scene.origin.count, 3)
  }

  func testTheClientsConditionIsEvaluatedAfterTheValidation() throws {
    let scene = HTTPScene()
    scene.origin.replies(["Cache-Control": "max-age=10", "ETag": "\"1\""])
    try scene.get()
    scene.wait(11)
    scene.origin.replies([:], "", status: 304)
    XCTAssertEqual(try scene.get(["If-None-Match": "\"1\""]).response.status, 304)
    XCTAssertEqual(try scene.get(["If-None-Match": "\"0\""]).response.status, 200)
    XCTAssertEqual(scene.origin.last?.fields["If-None-Match"], "\"1\"")
    scene.wait(11)
    scene.origin.replies(["Cache-Control": "max-age=10", "ETag": "\"2\""], "new")
    XCTAssertEqual(try scene.get(["If-None-Match": "\"2\""]).response.status, 304)
    XCTAssertEqual(try scene.outcome(), "hit new")
  }

  func testAConditionalRequestFillsAnEmptyStore() throws {
    for control in ["max-age=10", "no-store"] {
      let scene = HTTPScene()
      scene.origin.replies { head in
        let isKnown = head.fields["If-None-Match"] == "\"1\""
        return (isKnown ? 304 : 200, ["Cache-Control": control, "ETag": "\"1\""], "body")
      }
      let isStored = control != "no-store"
      let answer = try scene.get(["If-None-Match": "\"1\""])
      XCTAssertEqual(answer.response.status, 304)
      XCTAssertEqual(answer.response.text, "")
      XCTAssertEqual(answer.status.isStored, isStored)
      XCTAssertEqual(try scene.get(["If-None-Match": "\"0\""]).response.text, "body")
      XCTAssertEqual(try scene.outcome(), isStored ? "hit body" : "miss body")
      XCTAssertEqual(scene.origin.count, isStored ? 1 : 3)
    }
  }

  func testAStoredResponseWithoutValidatorsIsLoadedWithoutTheClientsConditions() throws {
    let scene = HTTPScene("max-age=10")
    try scene.get()
    scene.wait(11)
    let modified = HTTPFixtures.date(-9)
    scene.origin.replies(["Cache-Control": "max-age=10", "Last-Modified": modified], "new")
    XCTAssertEqual(try scene.get(["If-Modified-Since": modified]).response.status, 304)
    XCTAssertNil(scene.origin.last?.fields["If-Modified-Since"])
    XCTAssertEqual(try scene.outcome(), "hit new")
  }

  func testAHeadKeepsTheClientsConditions() throws {
    let scene = HTTPScene()
    scene.origin.replies(["ETag": "\"1\""], "", status: 304)
    XCTAssertEqual(try scene.get(["If-None-Match": "\"1\""], method: "HEAD").response.status, 304)
    XCTAssertEqual(scene.origin.last?.fields["If-None-Match"], "\"1\"")
  }

  func testNoStoreNeverReachesTheStore() throws {
    let writes = Lock([String]())
    let memory = Cache<String, Data>.dictionary()
    let store = Cache<String, Data>(
      get: memory.get,
      set: { key, data in
        writes.withLock { $0.append(key) }
        return memory.set(key, data)
      }, remove: memory.remove, clear: memory.clear)
    let scene = HTTPScene("max-age=60, no-store", store: store)
    try scene.get()
    scene.origin.replies(["Cache-Control": "max-age=60"])
    try scene.get(["Cache-Control": "no-store"])
    try scene.get(["Cache-Control": "no-store"], method: "HEAD")
    XCTAssertEqual(writes.withLock { $0 }, [])
  }

  func testAResponseThatMustNotBeStoredRemovesItsPredecessor() throws {
    let scene = HTTPScene("max-age=10")
    try scene.get()
    scene.wait(11)
    scene.origin.replies(["Cache-Control": "no-store"], "new")
    try scene.get()
    scene.origin.isDown()
    XCTAssertThrowsError(try scene.get())
  }

  func testVariantsAreStoredSideBySide() throws {
    let scene = HTTPScene()
    scene.origin.replies { head in
      (200, ["Cache-Control": "max-age=60", "Vary": "Foo"], head.fields["Foo"] ?? "none")
    }
    for value in ["1", "2"] {
      XCTAssertEqual(try scene.outcome(["Foo": value]), "miss \(value)")
    }
    XCTAssertEqual(try scene.get(["Foo": "3"]).status.forward, .varyMiss)
    XCTAssertEqual(try scene.outcome(), "miss none")
    for value in ["1", "2", "3"] {
      XCTAssertEqual(try scene.outcome(["Foo": value]), "hit \(value)")
    }
    XCTAssertEqual(try scene.outcome(), "hit none")
  }

  func testHeadIsAnsweredFromAGetAndUpdatesIt() throws {
    let scene = HTTPScene()
    scene.origin.replies(["Cache-Control": "max-age=10", "A": "1"])
    try scene.get()
    XCTAssertEqual(try scene.outcome(method: "HEAD"), "hit ")
    scene.wait(11)
    scene.origin.replies(["Cache-Control": "max-age=60", "A": "2"])
    XCTAssertEqual(try scene.outcome(method: "HEAD"), "miss ")
    XCTAssertEqual(scene.origin.last?.method, "HEAD")
    XCTAssertEqual(try scene.get().response.fields["A"], "2")
    XCTAssertEqual(scene.origin.count, 2)
  }

  func testAHeadOfAnotherRepresentationMakesTheGetStale() throws {
    let scene = HTTPScene()
    scene.origin.replies(["Cache-Control": "max-age=10", "Last-Modified": HTTPFixtures.date(-9)])
    try scene.get()
    scene.origin.replies(["Cache-Control": "max-age=10", "Last-Modified": HTTPFixtures.date(-1)])
    try scene.get(["Cache-Control": "no-cache"], method: "HEAD")
    XCTAssertEqual(try scene.outcome(), "miss body")
  }

  func testAHeadAloneStoresNothing() throws {
    let scene = HTTPScene("max-age=60")
    XCTAssertFalse(try scene.get(method: "HEAD").status.isStored)
    XCTAssertEqual(try scene.outcome(), "miss body")
  }

  func testADamagedRecordIsAMiss() throws {
    let scene = HTTPScene("max-age=60")
    try scene.get()
    let key = StoreKey.text(HTTPFixtures.url)
    let record = try scene.store.get(key).wait()
    _ = scene.store.set(key, record.dropLast())
    XCTAssertEqual(try scene.outcome(), "miss body")
    XCTAssertEqual(try scene.outcome(), "hit body")
  }

  func testAFailingStoreIsAMiss() throws {
    let store = Cache<String, Data>(
      get: { _ in Promise(error: FakeOrigin.Down()) },
      set: { _, _ in Promise(error: FakeOrigin.Down()) })
    let scene = HTTPScene("max-age=60", store: store)
    XCTAssertEqual(try scene.outcome(), "miss body")
    XCTAssertEqual(try scene.outcome(), "miss body")
  }

  func testRemovedResponsesAreMisses() throws {
    let scene = HTTPScene("max-age=60")
    try scene.get()
    _ = scene.cache.remove(HTTPFixtures.url)
    XCTAssertEqual(try scene.outcome(), "miss body")
    _ = scene.cache.clear()
    XCTAssertEqual(try scene.outcome(), "miss body")
  }

  func testThePlanNamesTheStore() {
    XCTAssertEqual("\(HTTPScene().cache.plan)", "http(storedIn: dictionary, from: fetcher)")
  }
}
