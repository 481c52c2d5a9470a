import StrataLaws
import XCTest

@testable import StrataCore
@testable import StrataVerbs

final class UpdatingTests: XCTestCase {
  private let upper = ScriptedLevel(0, LevelScript(contents: [0: 1]))
  private let lower = ScriptedLevel(1, LevelScript(contents: [0: 2, 1: 3], hasSlowGets: true))

  private func text(_ update: CacheUpdate<Int>?) -> String {
    update.map { "\($0.source) \($0.value)" } ?? "the end"
  }

  func testACachedValueArrivesImmediatelyAndTheFreshOneAfterIt() async throws {  // T50
    let updates = upper.cache.updating(from: lower.cache.fetcher)
    var answers = updates.values(0).makeAsyncIterator()
    let first = try await answers.next()
    XCTAssertEqual(text(first), "cached 1")  // The origin has not answered yet.
    lower.settle(0)
    let (second, third) = (try await answers.next(), try await answers.next())
    XCTAssertEqual([second, third].map(text), ["fresh 2", "the end"])
    XCTAssertEqual(lower.events, ["get 0"])
    XCTAssertEqual(upper.events, ["get 0", "set 0 2"])
  }

  func testAMissAboveDeliversNothing() async throws {  // T50
    let updates = upper.cache.updating(from: lower.cache.fetcher)
    let stream = updates.values(1)
    lower.settle(0)
    var seen: [String] = []
    for try await update in stream { seen.append(text(update)) }
    XCTAssertEqual(seen, ["fresh 3"])
  }

  func testAFailedRefreshIsReportedAfterTheCachedValue() async throws {  // T67
    let broken = ScriptedLevel(1, LevelScript(getFaults: [0: .failure]))
    let slow = ScriptedLevel(0, LevelScript(contents: [0: 1], hasSlowGets: true))
    let stream = slow.cache.updating(from: broken.cache.fetcher).values(0)
    slow.settle(0)
    var seen: [String] = []
    do {
      for try await update in stream { seen.append(text(update)) }
      XCTFail("no error")
    } catch {
      XCTAssertEqual(error as? ScriptError, ScriptError(level: 1, key: 0, isMiss: false))
    }
    XCTAssertEqual(seen, ["cached 1"])
  }

  func testAValueThatTheFetcherLacksIsRemovedAfterItsDelivery() async throws {
    for isSlow in [false, true] {
      let cached = ScriptedLevel(0, LevelScript(contents: [0: 1], hasSlowGets: isSlow))
      let stream = cached.cache.updating(
        from: Fetcher(offMainThread: false) { _ in throw CacheError.notFound }
      ).values(0)
      cached.settle(0)
      XCTAssertEqual(cached.events, ["get 0", "remove 0"])
      var seen: [String] = []
      do {
        for try await update in stream { seen.append(text(update)) }
        XCTFail("no error")
      } catch { XCTAssertEqual(error as? CacheError, .notFound) }
      XCTAssertEqual(seen, ["cached 1"])
    }
  }

  func testAFetcherThatIsNotCalledRemovesNothing() {
    let fetcher = Fetcher<Int, Int>(offMainThread: false) { $0 }.conditioned { _ in false }
    let stream = upper.cache.updating(from: fetcher).values(0)
    XCTAssertEqual(upper.events, ["get 0"])
    withExtendedLifetime(stream) {}
  }

  func testAWriteDuringAReadWinsOverAFetchedMiss() {
    let origin = ScriptedLevel(1, LevelScript(hasSlowGets: true))
    let cache = Cache<Int, Int>.memory(capacity: 10)
    _ = cache.set(0, 1)
    let updates = cache.updating(from: origin.cache.fetcher)
    let stream = updates.values(0)
    _ = updates.cache.set(0, 9)
    origin.settle(0)
    XCTAssertEqual(cache.get(0).outcome?.value, 9)
    withExtendedLifetime(stream) {}
  }

  func testAnEqualFreshValueIsDelivered() async throws {
    let stream = upper.cache.updating(from: Fetcher(offMainThread: false) { _ in 1 }).values(0)
    var seen: [String] = []
    for try await update in stream { seen.append(text(update)) }
    XCTAssertEqual(seen, ["cached 1", "fresh 1"])
  }

  func testAWriteDuringAReadWinsOverTheFetchedValue() {
    for write in Write.allCases {
      let origin = ScriptedLevel(1, LevelScript(contents: [0: 2], hasSlowGets: true))
      let cache = Cache<Int, Int>.memory(capacity: 10)
      _ = cache.set(0, 1)
      let updates = cache.updating(from: origin.cache.fetcher)
      let stream = updates.values(0)
      write.run(updates.cache)
      origin.settle(0)
      XCTAssertEqual(cache.get(0).outcome?.value, write.left, "\(write)")
      withExtendedLifetime(stream) {}
    }
  }

  private enum Write: CaseIterable {
    case set, remove, clear, setAnother
    func run(_ cache: Cache<Int, Int>) {
      switch self {
      case .set: _ = cache.set(0, 9)
      case .remove: _ = cache.remove(0)
      case .clear: _ = cache.clear()
      case .setAnother: _ = cache.set(1, 9)
      }
    }
    /// The value that the key has after the operation.
    var left: Int? { self == .set ? 9 : self == .setAnother ? 2 : nil }
  }

  func testAWriteOnAnotherThreadWinsOverTheFetchedValue() async throws {
    for round in 0..<Extent.rounds(300, full: 10_000) {
      let cache = Cache<Int, Int>.memory(capacity: 10)
      let updates = cache.updating(from: Fetcher { _ async throws in -1 })
      let stream = updates.values(0)
      let write = updates.cache.set(0, round)
      for try await update in stream { XCTAssertTrue([-1, round].contains(update.value)) }
      try await write.value
      XCTAssertEqual(cache.get(0).outcome?.value, round)
    }
  }

  func testAReadThatBeginsAfterTheWriteStoresItsValue() {
    let lower = ScriptedLevel(1, LevelScript(contents: [0: 2, 1: 3], hasSlowGets: true))
    let cache = Cache<Int, Int>.memory(capacity: 10)
    let updates = cache.updating(from: lower.cache.fetcher)
    let early = updates.values(0)
    _ = updates.cache.set(0, 9)
    let late = updates.values(0)
    while lower.settle(0) {}
    XCTAssertEqual(cache.get(0).outcome?.value, 2)
    withExtendedLifetime((early, late)) {}
  }

  func testAWriteThroughTheUpdatesWinsOverTheReadsInFlight() {
    let lower = ScriptedLevel(1, LevelScript(contents: [0: 2, 1: 3], hasSlowGets: true))
    let cache = Cache<Int, Int>.memory(capacity: 10)
    let updates = cache.updating(from: lower.cache.fetcher)
    let reads = [updates.values(0), updates.values(1)]
    _ = updates.cache.set(0, 9)
    while lower.settle(0) {}
    XCTAssertEqual([0, 1].map { cache.get($0).outcome?.value }, [9, 3])
    withExtendedLifetime(reads) {}
  }

  func testAWriteThroughMappedUpdatesWinsToo() {
    let lower = ScriptedLevel(1, LevelScript(contents: [3: 2], hasSlowGets: true))
    let cache = Cache<Int, Int>.memory(capacity: 10)
    let updates = cache.updating(from: lower.cache.fetcher).mapKeys(\String.count).mapValues(
      .shifted)
    let read = updates.values("abc")
    _ = updates.cache.set("abc", 19)
    while lower.settle(0) {}
    XCTAssertEqual(cache.get(3).outcome?.value, 9)
    withExtendedLifetime(read) {}
  }

  func testAWriteDetachesTheLoadOfAPooledFetcher() {
    let lower = ScriptedLevel(1, LevelScript(contents: [0: 2, 1: 3], hasSlowGets: true))
    let updates = Cache<Int, Int>.memory(capacity: 10)
      .updating(from: lower.cache.fetcher.pooled())
    let early = updates.values(0)
    _ = updates.cache.remove(0)
    let late = updates.values(0)
    XCTAssertEqual(lower.events, ["get 0", "get 0"])
    withExtendedLifetime((early, late)) {}
  }

  func testTheValueOfALaterReadIsNotReplacedByThatOfAnEarlierOne() {
    let works = [Later<Int>(), Later<Int>()]
    let next = Lock(0)
    let cache = Cache<Int, Int>.memory(capacity: 10)
    let updates = cache.updating(
      from: Fetcher<Int, Int> { _ -> Promise<Int> in
        works[
          next.withLock { next in
            defer { next += 1 }
            return next
          }
        ].promise
      })
    let reads = [updates.values(0), updates.values(0)]
    works[1].continuation.succeed(2)
    works[0].continuation.succeed(1)
    XCTAssertEqual(cache.get(0).outcome?.value, 2)
    withExtendedLifetime(reads) {}
  }

  func testAForwardedReadThatBeganBeforeARemovedTagStoresNothing() {
    let (clock, _) = TimeSource.manual()
    let load = Pending<Int>()
    let (tagged, tags) = Cache<Int, Stamped<Int>>.memory(clock: clock).tagged { _, _ in ["all"] }
    let updates = tagged.expiring(after: .seconds(60)).updating(from: Fetcher { _ in load.promise })
    let stream = updates.values(1)
    _ = tags.mark(["all"], .remove)
    load.settle(.success(5))
    XCTAssertEqual(updates.cache.get(1).answer, "not found")
    withExtendedLifetime(stream) {}
  }
}
