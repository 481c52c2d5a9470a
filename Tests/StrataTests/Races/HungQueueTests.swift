import StrataLaws
import XCTest

@testable import StrataCore

/// The writes and clears that wait for a level that hangs are bounded.
final class HungQueueTests: XCTestCase {
  private let (time, clock) = TimeSource.manual()
  private let forever = Forever()

  private var hung: Cache<String, Int> { forever.level(time) }

  func testTooManyClearsOfAHungLevelFail() {
    let cleared = Lock(0)
    let forever = forever
    let level = Cache<String, Int>(
      get: { _ in .miss }, set: { _, _ in forever.never() },
      clear: {
        cleared.withLock { $0 += 1 }
        return forever.never()
      }
    ).clocked(by: time)
    let cache = level + Cache<String, Int>.dictionary()
    for _ in 0..<KeyedQueue.mostWrites { _ = cache.clear() }
    _ = cache.set("a", 1)
    XCTAssertTrue(cache.clear().answer.contains("overloaded"))
    XCTAssertEqual(cleared.withLock { $0 }, KeyedQueue.mostWrites)
    XCTAssertTrue(cache.get("a").answer.contains("overloaded"), "The level could not be cleared.")
    _ = cache.set("a", 2)
    XCTAssertEqual(cache.get("a").answer, "2")
  }

  func testTooManyWritesBehindAnAsyncFunctionThatHangsFail() {
    let hung = Cache<String, Int>(
      get: { _ async throws in 1 },
      set: { _, _ async throws in try await Task.sleep(for: .seconds(1_000_000)) })
    let first = hung.set("a", 0)
    for number in 1..<KeyedQueue.mostWrites { _ = hung.set("a", number) }
    XCTAssertTrue(hung.set("a", 1).answer.contains("overloaded"))
    for _ in 0..<KeyedQueue.mostWrites { _ = hung.clear() }
    XCTAssertTrue(hung.clear().answer.contains("overloaded"))
    first.cancel()
  }

  func testTheQueueOfAHungKeyIsBoundedAndTheKeyStaysHidden() {
    let cache = hung + Cache<String, Int>.dictionary()
    for number in 0..<KeyedQueue.mostWrites { _ = cache.set("a", number) }
    XCTAssertEqual(cache.set("b", 1).answer, "no answer")
    for value in -2..<0 {
      XCTAssertTrue(cache.set("a", value).answer.contains("overloaded"))
      XCTAssertEqual(cache.get("a").answer, "\(value)")
    }
    clock.advance(by: .seconds(5))
    XCTAssertEqual(cache.get("a").answer, "-1")
  }
}
