import XCTest

@testable import StrataCore
@testable import StrataHTTP

final class BackedByStampedTests: XCTestCase {
  private let (time, clock) = TimeSource.manual()

  private func origin(lasting seconds: Int, _ loads: Lock<Int>) -> Fetcher<String, Stamped<Int>> {
    Fetcher<String, Stamped<Int>>(offMainThread: false) { [time] _ in
      let count = loads.withLock { count in
        count += 1
        return count
      }
      return Stamped(count, storedAt: time.now(), lasting: .seconds(seconds))
    }
  }

  func testALevelAnswersUntilTheEndAndThenTheOrigin() throws {
    for memory: Cache<String, Stamped<Int>> in [.memory(clock: time), .dictionary()] {
      let cache = memory.backed(byStamped: origin(lasting: 5, Lock(0)), clock: time)
      XCTAssertEqual(try cache.get("a").wait(), 1)
      clock.advance(by: .seconds(4))
      XCTAssertEqual(try cache.get("a").wait(), 1)
      clock.advance(by: .seconds(1))
      XCTAssertEqual(try cache.get("a").wait(), 2)
    }
  }

  func testAnExpiredAnswerIsServedOnce() throws {
    let memory: Cache<String, Stamped<Int>> = .dictionary()
    let cache = memory.backed(byStamped: origin(lasting: 0, Lock(0)), clock: time)
    for count in 1...3 { XCTAssertEqual(try cache.get("a").wait(), count) }
  }

  func testAnExpiredAnswerReachesNoLevel() throws {
    let stored = Lock<[Int]>([])
    let level = Cache<String, Stamped<Int>>(
      get: { _ in Promise(error: CacheError.notFound) },
      set: { _, stamped in
        stored.withLock { $0.append(stamped.value) }
        return Promise()
      })
    for seconds in [0, 5] {
      let cache = level.backed(byStamped: origin(lasting: seconds, Lock(seconds)), clock: time)
      _ = try cache.get("a").wait()
    }
    XCTAssertEqual(stored.withLock { $0 }, [6])
  }

  func testASetValueHasNoEnd() throws {
    let memory: Cache<String, Stamped<Int>> = .memory(clock: time)
    let cache = memory.backed(byStamped: origin(lasting: 5, Lock(10)), clock: time)
    _ = try cache.set("a", 1).wait()
    clock.advance(by: .seconds(1_000_000))
    XCTAssertEqual(try cache.get("a").wait(), 1)
  }

  func testTheClockIsTheOneOfTheLevel() throws {
    let loads = Lock(0)
    let memory: Cache<String, Stamped<Int>> = .memory(clock: time)
    let cache = memory.backed(byStamped: origin(lasting: 5, loads))
    XCTAssertEqual([try cache.get("a").wait(), try cache.get("a").wait()], [1, 1])
    _ = cache.set("b", 7)
    XCTAssertEqual(memory.get("b").outcome?.value?.storedAt, clock.now)
    clock.advance(by: .seconds(5))
    XCTAssertEqual(try cache.get("a").wait(), 2)
  }
}
