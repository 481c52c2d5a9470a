import StrataLaws
import XCTest

@testable import StrataCore
@testable import StrataVerbs

/// Tests caches that are refreshed from a loader.
final class LoaderTests: XCTestCase {
  typealias Answer = Loader<Int, String>.Answer
  typealias Load = (key: Int, old: Stamped<String>?, answer: Promise<Answer>.Continuation)

  private let (time, clock) = TimeSource.manual()
  private let loads = Lock<[Load]>([])
  private lazy var stamped: Cache<Int, Stamped<String>> = .memory(clock: time)

  private func pages(_ freshness: Freshness = Freshness(for: .seconds(60))) -> Cache<Int, String> {
    stamped.refreshing(freshness, from: loader)
  }

  private var loader: Loader<Int, String> {
    Loader { [loads] key, old in
      Promise { continuation in loads.withLock { $0.append((key, old, continuation)) } }
    }
  }

  private func answer(_ answer: Answer, at index: Int = 0) {
    loads.withLock { $0.remove(at: index) }.answer.succeed(answer)
  }

  private var olds: [String?] { loads.withLock { $0.map { $0.old?.value } } }

  func testALoaderSeesTheStoredValueEvenAfterItsDeadline() {
    let pages = pages()
    _ = pages.set(1, "old")
    clock.advance(by: .seconds(60))
    let get = pages.get(1)
    XCTAssertEqual(olds, ["old"])
    answer(.unchanged)
    XCTAssertEqual(get.answer, "old")
    clock.advance(by: .seconds(59))
    XCTAssertEqual(pages.get(1).answer, "old")
    XCTAssertEqual(olds, [])
  }

  func testGetsOfAKeyShareALoadAndACancelledGetDoesNotEndIt() {
    let pages = pages()
    let gets = (0..<3).map { _ in pages.get(1) }
    gets[0].cancel()
    XCTAssertEqual(olds, [nil])
    answer(.fresh("new"))
    XCTAssertEqual(gets.map(\.answer), ["cancelled", "new", "new"])
    XCTAssertEqual(pages.get(1).answer, "new")
  }

  func testALoadThatEveryGetHasLeftStoresNothing() {
    let pages = pages()
    pages.get(1).cancel()
    answer(.fresh("late"))
    XCTAssertNil(stamped.get(1).outcome?.value)
  }

  func testALoadThatMeetsAWriteStoresNothing() {
    let writes: [(Cache<Int, String>) -> Promise<Void>] = [
      { $0.remove(1) }, { $0.clear() }, { $0.set(1, "written") },
    ]
    for write in writes {
      let pages = pages()
      _ = pages.set(1, "old")
      clock.advance(by: .seconds(60))
      for answer: Answer in [.fresh("late"), .unchanged, .absent(for: .seconds(9))] {
        _ = pages.get(1)
        _ = write(pages)
        let held = stamped.get(1).outcome?.value?.value
        self.answer(answer)
        XCTAssertEqual(stamped.get(1).outcome?.value?.value, held)
        _ = pages.set(1, "old")
        clock.advance(by: .seconds(60))
      }
      loads.withLock { $0 = [] }
    }
  }

  func testAnAbsenceIsRememberedUntilAWrite() {
    let pages = pages()
    _ = pages.get(1)
    answer(.absent(for: .seconds(30)))
    clock.advance(by: .seconds(29))
    XCTAssertEqual(pages.get(1).outcome?.error as? CacheError, .notFound)
    XCTAssertEqual(olds, [])
    _ = pages.remove(1)
    _ = pages.get(1)
    XCTAssertEqual(olds, [nil])
    answer(.absent(for: .seconds(1)))
    clock.advance(by: .seconds(1))
    _ = pages.get(1)
    XCTAssertEqual(olds, [nil])
  }

  func testUnchangedWithoutAValueIsAFailureThatNamesItsKey() {
    let get = pages().get(7)
    answer(.unchanged)
    XCTAssertEqual(get.outcome?.error as? UnchangedNothingError, UnchangedNothingError(key: "7"))
    XCTAssertEqual(get.outcome?.error?.isMiss, false)
    let text = "\(UnchangedNothingError(key: "7"))"
    XCTAssertTrue(text.contains("for 7") && text.contains("Answer .fresh"), text)
  }

  func testAnUnstoredValueLeavesTheStaleValue() {
    let pages = pages(Freshness(for: .seconds(60), staleIfError: .seconds(600)))
    _ = pages.set(1, "old")
    clock.advance(by: .seconds(61))
    let get = pages.get(1)
    answer(.unstored("partial"))
    XCTAssertEqual(get.answer, "partial")
    XCTAssertEqual(stamped.get(1).outcome?.value?.value, "old")
    XCTAssertEqual(olds, [])
  }

  func testALifetimeMayBeNegativeOrHugeAndTheWindowsFollowIt() {
    let pages = pages(
      Freshness(for: .seconds(60), staleWhileRevalidate: .seconds(Int64.max), staleIfError: .zero))
    for (lifetime, fresh) in [(Duration.seconds(-5), 0), (.zero, 0), (.seconds(5), 5)] {
      _ = pages.get(1)
      answer(.fresh("a", for: lifetime))
      clock.advance(by: .seconds(max(0, fresh - 1)))
      XCTAssertEqual(pages.get(1).answer, "a")
      XCTAssertEqual(olds, fresh == 0 ? ["a"] : [])
      clock.advance(by: .seconds(1))
      XCTAssertEqual(pages.get(1).answer, "a")
      XCTAssertEqual(olds, ["a"])
      answer(.absent())
    }
    _ = pages.get(1)
    answer(.fresh("long", for: .seconds(Int64.max)))
    clock.advance(by: .seconds(90 * 365 * 86_400))
    XCTAssertEqual(pages.get(1).answer, "long")
    XCTAssertEqual(olds, [])
  }

  func testAValueOfAnotherWriterHasTheUsualLifetime() {
    let pages = pages(Freshness(for: .seconds(60), staleWhileRevalidate: .seconds(600)))
    _ = stamped.set(1, Stamped("foreign", storedAt: time.now()))
    clock.advance(by: .seconds(59))
    XCTAssertEqual(pages.get(1).answer, "foreign")
    XCTAssertEqual(olds, [])
    clock.advance(by: .seconds(1))
    XCTAssertEqual(pages.get(1).answer, "foreign")
    XCTAssertEqual(olds, ["foreign"])
  }

  func testASlowLoadContinuesAndIsStored() {
    let pages = pages(
      Freshness(
        for: .seconds(60), staleIfError: .seconds(600), waitingAtMost: .milliseconds(100)))
    _ = pages.set(1, "old")
    clock.advance(by: .seconds(61))
    let get = pages.get(1)
    XCTAssertEqual(get.answer, "no answer")
    clock.advance(by: .milliseconds(100))
    XCTAssertEqual(get.answer, "old")
    XCTAssertEqual(pages.get(1).answer, "old")
    XCTAssertEqual(olds, ["old"])
    answer(.fresh("new"))
    XCTAssertEqual(pages.get(1).answer, "new")
  }

  func testTheHardLimitFailsTheLoad() {
    let pages = pages(Freshness(for: .seconds(60), timeout: .seconds(5)))
    let get = pages.get(1)
    clock.advance(by: .seconds(5))
    guard case .timedOut? = get.outcome?.error as? CacheError else { return XCTFail(get.answer) }
    answer(.fresh("late"))
    XCTAssertNil(stamped.get(1).outcome?.value)
  }

  func testASumOfLevelsUnderPoolsIsFilled() {
    let lower: Cache<Int, Stamped<String>> = .dictionary().clocked(by: time)
    let pages = (stamped + lower).refreshing(Freshness(for: .seconds(60)), from: loader).pooled()
    let get = pages.get(1)
    answer(.fresh("new"))
    XCTAssertEqual(get.answer, "new")
    XCTAssertEqual(lower.get(1).outcome?.value?.value, "new")
  }

  func testAThrownErrorIsReportedAndObserved() async throws {
    let events = Journal<String>()
    let pages = stamped.refreshing(
      Freshness(for: .seconds(60)),
      from: Loader { _, _ async throws in throw CacheError.abandoned }
    ).named("pages").observed(by: CacheObserver { events.note("\($0.operation)") })
    do {
      _ = try await pages.value(for: 1)
      XCTFail("The get should fail.")
    } catch { XCTAssertEqual(error as? CacheError, .abandoned) }
    XCTAssertTrue(events.entries.contains("refresh"), "\(events.entries)")
    XCTAssertTrue(pages.plan.description.contains("loader"), pages.plan.description)
  }

  func testAllValuesOfALoaderStayFallbacks() {
    let (clock, time) = TimeSource.manual()
    let isDown = Lock(false)
    let cache = Cache<Int, Stamped<Int>>.memory(clock: clock).refreshing(
      Freshness(for: .seconds(60), staleIfError: .seconds(10), pause: .zero),
      from: Loader { key, _ in
        isDown.withLock { $0 } ? Promise(error: Broken.here) : Promise(.fresh(key))
      })
    XCTAssertEqual(cache.get(1).answer, "1")
    time.advance(by: .seconds(20))
    isDown.withLock { $0 = true }
    _ = cache.operations.expire(nil)
    XCTAssertEqual(cache.get(1).answer, "1")
    time.advance(by: .seconds(10))
    XCTAssertEqual(cache.get(1).answer, "Broken.here", "The window begins with the call.")
  }

  func testADeadlineInTheFarPastIsExpired() {
    let (clock, _) = TimeSource.manual()
    let stamped = Cache<Int, Stamped<Int>>.dictionary().clocked(by: clock)
    let past = TimeSource.Instant(nanoseconds: .min)
    _ = stamped.set(1, Stamped(5, storedAt: clock.now(), expiresAt: past))
    let cache = stamped.refreshing(
      Freshness(for: .seconds(60), staleIfError: .seconds(60)),
      from: Loader { _, _ in Promise(.fresh(1)) })
    XCTAssertEqual(cache.get(1).answer, "1")
  }
}
