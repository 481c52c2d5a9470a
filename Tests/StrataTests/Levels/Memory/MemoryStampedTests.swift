import Foundation
import StrataLaws
import XCTest

@testable import StrataCore
@testable import StrataVerbs

final class MemoryStampedTests: XCTestCase {
  private typealias Level = Cache<Int, Stamped<Int>>

  private let (time, clock) = TimeSource.manual()
  private let gone = Lock<[String]>([])
  private var report: @Sendable (Int, Stamped<Int>, EvictionCause) -> Void {
    { [gone] key, _, cause in gone.withLock { $0.append("\(key) \(cause)") } }
  }

  private func store(
    _ tracker: ExpirationTracker<Stamped<Int>>? = nil, capacity: Int = 1_000_000
  ) -> MemoryStore<Int, Stamped<Int>> {
    MemoryStore(
      capacity: capacity, cost: nil,
      expirations: tracker ?? ExpirationTracker(time.now) { ($0.storedAt, $0.expiresAt) })
  }

  private func stamped(_ value: Int, lasting: Duration?) -> Stamped<Int> {
    Stamped(value, storedAt: clock.now, lasting: lasting)
  }

  func testTheTypeSelectsTheValueFormat() {
    let dead = Stamped(1, storedAt: TimeSource.system.now(), lasting: .zero)
    let level: Level = .memory()
    _ = level.set(0, dead)
    XCTAssertEqual(level.get(0).answer, "not found")  // Plain levels ignore deadlines.
    let sized: Cache<Int, Stamped<Data>> = .memory(capacity: .bytes(10))
    _ = sized.set(0, Stamped(Data(count: 10), storedAt: TimeSource.system.now()))
    XCTAssertNotNil(sized.get(0).outcome?.value)
    XCTAssertEqual("\(sized.plan)", "memory(10 B)")
    let clocked: Level = .memory(clock: time)
    _ = clocked.set(0, stamped(1, lasting: .seconds(1)))
    XCTAssertNotNil(clocked.get(0).outcome?.value)
    func generic<Key: Hashable & Sendable>(_ key: Key) -> Bool {
      let level: Cache<Key, Stamped<Int>> = .memory()
      _ = level.set(key, dead)
      return level.get(key).outcome?.value == nil
    }
    XCTAssertTrue(generic("a"))
  }

  func testBothALaterAndAnEarlierDeadlineReplaceTheFirst() {
    let level: Level = .memory(clock: time, onEviction: report)
    _ = level.set(0, stamped(0, lasting: .seconds(1)))
    _ = level.set(0, stamped(1, lasting: .seconds(100)))
    _ = level.set(1, stamped(2, lasting: .seconds(100)))
    _ = level.set(1, stamped(3, lasting: .seconds(1)))
    _ = level.set(2, stamped(4, lasting: nil))
    _ = level.set(2, stamped(5, lasting: .seconds(1)))
    gone.withLock { $0 = [] }
    clock.advance(by: .seconds(3))
    _ = level.set(9, stamped(9, lasting: nil))
    XCTAssertEqual(gone.withLock { $0.sorted() }, ["1 expired", "2 expired"])
    XCTAssertEqual(level.get(0).outcome?.value?.value, 1)
    clock.advance(by: .seconds(100))
    _ = level.set(10, stamped(9, lasting: nil))
    XCTAssertEqual(level.get(0).answer, "not found")
  }

  func testAnExpiredOrFutureValueIsNotStoredAndRemovesTheOlderValue() {
    let level: Level = .memory(clock: time)
    for odd in [
      stamped(1, lasting: .zero),
      Stamped(2, storedAt: clock.now.advanced(by: .seconds(61)), expiresAt: nil),
    ] {
      _ = level.set(0, stamped(0, lasting: nil))
      _ = level.set(0, odd)
      XCTAssertEqual(level.get(0).answer, "not found")
    }
    _ = level.set(0, Stamped(3, storedAt: clock.now.advanced(by: .seconds(60))))
    XCTAssertEqual(level.get(0).outcome?.value?.value, 3)
  }

  func testAClearAndEvictionsAlsoRemoveTheDeadlines() {
    let store = store(capacity: 100)
    for round in 0..<5 {
      for key in 0..<1000 {
        store.set(stamped(key, lasting: .seconds(1 + key % 7)), for: key)
        if key.isMultiple(of: 5) { _ = store.remove(key) }
      }
      if round == 2 { store.removeAll() }
      clock.advance(by: .seconds(2))
    }
    clock.advance(by: .seconds(60))
    for key in 5000..<5010 { store.set(stamped(key, lasting: nil), for: key) }
    XCTAssertEqual(store.total, 10)
  }

  func testThreadsThatStoreRemoveAndSweepLeaveNothingBehind() {
    let store = store(capacity: 500)
    let clock = clock
    DispatchQueue.concurrentPerform(iterations: 4) { thread in
      var random = SeededGenerator(seed: UInt64(thread))
      for _ in 0..<Extent.rounds(5000, full: 500_000) {
        let key = Int.random(in: 0..<1000, using: &random)
        switch Int.random(in: 0..<10, using: &random) {
        case 0..<6:
          let lifetime = Duration.milliseconds(Int.random(in: 1...50, using: &random))
          let stamp = Stamped(key, storedAt: clock.now, lasting: lifetime)
          store.set(stamp, for: key) { key, value, _ in XCTAssertEqual(key, value.value) }
        case 6: _ = store.remove(key)
        case 7: clock.advance(by: .milliseconds(1))
        case 8 where key < 3: store.removeAll()
        default: if let value = store.value(for: key) { XCTAssertEqual(value.value, key) }
        }
        XCTAssertLessThanOrEqual(store.total, 500)
      }
    }
    clock.advance(by: .seconds(1))
    for key in 0..<40 { store.set(stamped(key, lasting: nil), for: 10_000 + key) }
    XCTAssertEqual(store.total, 40)
  }

  func testALevelWithAClockLimitsTheNumber() {
    let (clock, _) = TimeSource.manual()
    let level: Cache<Int, Stamped<Data>> = .memory(
      capacity: .bytes(1_000).and(count: 2), clock: clock)
    for key in 0..<5 { _ = level.set(key, Stamped(Data(count: 1), storedAt: clock.now())) }
    XCTAssertEqual((0..<5).filter { level.get($0).outcome?.value != nil }.count, 2)
  }
}
