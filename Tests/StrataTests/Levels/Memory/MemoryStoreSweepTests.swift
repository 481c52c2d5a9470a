import XCTest

@testable import StrataCore
@testable import StrataVerbs

final class MemoryStoreSweepTests: XCTestCase {
  private typealias Level = Cache<Int, Stamped<Int>>

  private let (time, clock) = TimeSource.manual()
  private let gone = Lock<[String]>([])
  private var report: @Sendable (Int, Stamped<Int>, EvictionCause) -> Void {
    { [gone] key, _, cause in gone.withLock { $0.append("\(key) \(cause)") } }
  }

  private func store() -> MemoryStore<Int, Stamped<Int>> {
    MemoryStore(
      capacity: 1_000_000, cost: nil,
      expirations: ExpirationTracker(time.now) { ($0.storedAt, $0.expiresAt) })
  }

  private func stamped(_ value: Int, lasting: Duration?) -> Stamped<Int> {
    Stamped(value, storedAt: clock.now, lasting: lasting)
  }

  func testExpiredEntriesAreEvictedByLaterSets() {
    let level: Level = .memory(clock: time, onEviction: report)
    for key in 0..<100 { _ = level.set(key, stamped(key, lasting: .seconds(key + 1))) }
    clock.advance(by: .seconds(50) + .milliseconds(3))
    for key in 1000..<1008 { _ = level.set(key, stamped(key, lasting: nil)) }
    let names = gone.withLock { $0 }
    XCTAssertEqual(Set(names), Set((0..<50).map { "\($0) expired" }))
    XCTAssertEqual((0..<100).filter { level.get($0).outcome?.value != nil }, Array(50..<100))
  }

  func testNoSetChecksMoreEntriesThanItsBudget() {
    let store = store()
    for key in 0..<10_000 { store.set(stamped(key, lasting: .seconds(1)), for: key) }
    clock.advance(by: .seconds(2))
    var left = 10_000
    for key in 10_000..<10_700 {
      store.set(stamped(key, lasting: nil), for: key)
      let now = store.total - (key - 9_999)
      XCTAssertLessThanOrEqual(left - now, MemoryStore<Int, Stamped<Int>>.sweepLimit)
      left = now
    }
    XCTAssertEqual(left, 0)
    XCTAssertEqual(store.total, 700)
  }

  /// The new value has no deadline and replaces a value without a deadline. Such a write schedules
  /// no expiration and takes no new node.
  func testAnEntryIsEvictedInTheFirstTickAfterItsDeadline() {
    let store = store()
    store.set(stamped(1, lasting: nil), for: 1)
    store.set(stamped(2, lasting: .seconds(1)), for: 2)
    clock.advance(by: .seconds(1) + .nanoseconds(1 << 20))
    store.set(stamped(3, lasting: nil), for: 1, then: report)
    XCTAssertEqual(gone.withLock { $0 }, ["2 expired", "1 replaced"])
    XCTAssertNil(store.value(for: 2))
    XCTAssertEqual(store.total, 1)
    XCTAssertNil(store.expirations?.dueTick, "Without expired entries, no sweep should be due.")
  }
}
