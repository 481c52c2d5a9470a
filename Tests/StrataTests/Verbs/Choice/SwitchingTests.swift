import StrataLaws
import XCTest

@testable import StrataCore
@testable import StrataVerbs

final class SwitchingTests: XCTestCase {
  private let first = ScriptedLevel(0, LevelScript(contents: [0: 5], clearFault: .failure))
  private let second = ScriptedLevel(1, LevelScript(contents: [1: 6]))
  private lazy var cache = Cache.switching(first.cache, second.cache) { key in
    key.isMultiple(of: 2) ? .first : .second
  }

  func testAGetAndASetReachTheBranchOfTheirKey() {  // T31
    XCTAssertEqual(
      [cache.get(0).answer, cache.get(1).answer, cache.get(3).answer], ["5", "6", "not found"])
    _ = cache.set(2, 7)
    _ = cache.set(3, 8)
    XCTAssertEqual(first.events, ["get 0", "set 2 7"])
    XCTAssertEqual(second.events, ["get 1", "get 3", "set 3 8"])
  }

  func testAClearAndAWarningReachBothBranches() {  // T31
    let answer = cache.clear().answer
    cache.memoryWarning()
    XCTAssertEqual(answer, first.cache.clear().answer)
    XCTAssertEqual(first.events, ["clear", "warn", "clear"])
    XCTAssertEqual(second.events, ["clear", "warn"])
  }

  func testAReadOnlyBranchIgnoresWrites() {  // T31
    let cache = Cache.switching(first.cache.fetcher, second.cache) { _ in .first }
    let answers = [cache.set(0, 1), cache.remove(0), cache.clear()].map(\.answer)
    XCTAssertEqual(answers, ["()", "()", "()"])
    XCTAssertEqual(first.events, [])
    XCTAssertEqual(second.events, ["clear"])
  }

  func testARemoveReachesOnlyTheBranchOfItsKey() {  // T59
    let removes = [cache.remove(0), cache.remove(4)]
    XCTAssertEqual(removes.map(\.answer), ["()", "()"])
    XCTAssertEqual(first.events, ["remove 0", "remove 4"])
    XCTAssertEqual(second.events, [])
  }

  func testAKeyWithoutABranchFails() {
    let cache = Cache.switching(first.cache, second.cache) { _ in throw Broken.here }
    XCTAssertEqual(
      [cache.get(0).answer, cache.set(0, 1).answer, cache.remove(0).answer],
      Array(repeating: "Broken.here", count: 3))
    XCTAssertEqual(first.events + second.events, [])
  }

  func testFetchersAreBranchesToo() {
    let pages = Fetcher.switching(first.cache.fetcher, second.cache.fetcher) { key in
      guard key >= 0 else { throw Broken.here }
      return key.isMultiple(of: 2) ? .first : .second
    }
    XCTAssertEqual(
      [0, 1, 3, -1].map { pages.get($0).answer }, ["5", "6", "not found", "Broken.here"])
    XCTAssertEqual(pages.set(-1, 1).answer, "()")
    XCTAssertEqual(first.events + second.events, ["get 0", "get 1", "get 3"])
    let cache = Cache.switching(first.cache, second.cache) { _ in .first }
    XCTAssertEqual("\(pages.plan)", "\(cache.plan)")
  }

  func testCancellingReachesTheBranch() {
    let slow = ScriptedLevel(0, LevelScript(contents: [0: 5], hasSlowGets: true))
    Cache.switching(slow.cache, second.cache) { _ in .first }.get(0).cancel()
    XCTAssertEqual(slow.events, ["get 0", "cancel get 0"])
  }

  func testAWriteOfABranchDetachesItsLoad() {
    let slow = ScriptedLevel(0, LevelScript(contents: [0: 5], hasSlowGets: true))
    let branches = Cache.switching(slow.cache.fetcher.pooled(), second.cache) { _ in .first }
    let cache = .memory() + branches.fetcher
    _ = cache.get(0)
    _ = cache.set(0, 1)
    _ = branches.get(0)
    XCTAssertEqual(slow.events, ["get 0", "get 0"])
  }

  func testThePlanShowsBothAndBothAreObserved() {
    let branches = Cache.switching(first.cache.named("a"), second.cache.pooled().named("b")) {
      key in
      key == 0 ? .first : .second
    }
    XCTAssertEqual(
      branches.plan.description, "switching(cache.named(\"a\"), cache.pooled().named(\"b\"))")
    let stages = Journal<String>()
    let seen = branches.observed { stages.note($0.stage) }
    _ = (seen.get(0), seen.get(1))
    XCTAssertEqual(stages.entries.filter { $0.count == 1 }, ["a", "b"])
  }

  func testAClearDetachesTheLoadsOfBothBranches() {
    let levels = (0..<2).map { ScriptedLevel($0, LevelScript(hasSlowGets: true)) }
    let branches = Cache.switching(
      levels[0].cache.fetcher.pooled(), levels[1].cache.fetcher.pooled()
    ) { $0 == 0 ? .first : .second }
    let cache = .memory() + branches.fetcher
    let early = [cache.get(0), cache.get(1)]
    _ = cache.clear()
    let late = [branches.get(0), branches.get(1)]
    XCTAssertEqual(levels.map(\.events), [["get 0", "get 0"], ["get 1", "get 1"]])
    withExtendedLifetime((early, late)) {}
  }

  func testABackFillUsesTheTicketOfABranch() {
    let fills = Journal<String>()
    let leasing = first.cache.filledByTicket(
      take: { key, _ in Promise("ticket \(key)") },
      set: { key, value, ticket in
        fills.note("\(key) \(value) with \(ticket)")
        return Promise()
      })
    let sums = [
      Cache.switching(leasing, second.cache) { $0 == 2 ? .first : .second },
      Cache.switching(second.cache, leasing) { $0 == 2 ? .second : .first },
    ].map { $0 + Fetcher(offMainThread: false) { $0 + 40 } }
    XCTAssertEqual(sums.map { $0.get(2).answer }, ["42", "42"])
    XCTAssertEqual(fills.entries, ["2 42 with ticket 2", "2 42 with ticket 2"])
    XCTAssertEqual(first.events + second.events, ["get 2", "get 2"])
  }

  func testABackFillOfBranchesWithoutTicketsNeedsNoTicket() {
    XCTAssertEqual((cache + Fetcher(offMainThread: false) { $0 + 40 }).get(2).answer, "42")
    XCTAssertEqual(first.events, ["get 2", "set 2 42"])
  }

  /// An HTTP cache above two origins must know the fields that each of them adds.
  func testTheRequestsOfBothBranchesAreKnownIfThoseOfOneAre() throws {
    let plain = Cache<URLRequest, Int>.dictionary()
    let mapped = plain.mapKeys { (request: URLRequest) in
      var request = request
      request.setValue("1", forHTTPHeaderField: "A")
      return request
    }
    XCTAssertNil(plain.source.request)
    XCTAssertNotNil(mapped.source.request)
    let request = URLRequest(url: URL(string: "http://a/")!)
    for (one, other, fields) in [(mapped, plain, ["1", nil]), (plain, mapped, [nil, "1"])] {
      for (branch, field) in zip([CacheBranch.first, .second], fields) {
        let cache = Cache.switching(one, other) { _ in branch }
        let sent = try XCTUnwrap(cache.source.request?(request).outcome?.value)
        XCTAssertEqual(sent.request.value(forHTTPHeaderField: "A"), field)
      }
    }
    XCTAssertNil(Cache.switching(plain, plain) { _ in .first }.source.request)
  }

  func testAnExpiryReachesTheBranch() {
    let (clock, _) = TimeSource.manual()
    for key in [1, nil] {
      let isDown = Lock(false)
      let origin = Fetcher<Int, Int>(offMainThread: false) { key in
        if isDown.withLock({ $0 }) { throw Broken.here }
        return key
      }
      let pages = Cache<Int, Stamped<Int>>.memory(clock: clock).refreshing(
        Freshness(for: .seconds(60), staleIfError: .seconds(600), pause: .zero), from: origin)
      let cache = Cache.switching(pages, .memory()) { _ in .first }
      XCTAssertEqual(cache.get(1).answer, "1")
      isDown.withLock { $0 = true }
      _ = cache.operations.expire(key)
      XCTAssertEqual(cache.get(1).answer, "1", "The stale value is the fallback.")
    }
  }
}
