import Foundation
import StrataLaws
import XCTest

@testable import StrataCore
@testable import StrataVerbs

final class ExpiringTests: XCTestCase {
  private let (time, clock) = TimeSource.manual()
  private lazy var stamped: Cache<Int, Stamped<Int>> = .memory(clock: time)

  func testAValueExpiresSomeTimeAfterItsSet() {  // T49
    let cache = stamped.clocked(by: time).expiring(after: .seconds(10))
    XCTAssertEqual(cache.get(0).answer, "not found")
    _ = cache.set(0, 5)
    XCTAssertEqual(
      stamped.get(0).outcome?.value?.expiresAt, clock.now.advanced(by: .seconds(10)))
    clock.advance(by: .milliseconds(9999))
    XCTAssertEqual(cache.get(0).answer, "5")
    clock.advance(by: .milliseconds(1))
    XCTAssertEqual(cache.get(0).answer, "not found")
    _ = cache.set(0, 6)
    XCTAssertEqual(cache.get(0).answer, "6")
  }

  func testARecordOfAnotherTypeIsAFailureOfItsLevelAlone() {  // T49
    let disk: Cache<Int, Data> = .memory()
    _ = (disk <*> .json()).set(0, "not stamped")
    let level: Cache<Int, Stamped<Int>> = disk <*> .json()
    let cache =
      level.clocked(by: time).expiring(after: .seconds(10))
      + Fetcher(offMainThread: false) { _ in 7 }
    XCTAssertEqual(cache.get(0).answer, "7")
    XCTAssertEqual(level.get(0).outcome?.value?.value, 7)
  }

  func testPromotionAndAClockSetBackReviveNothing() {  // T66
    let far: Cache<Int, Stamped<Int>> = .memory(clock: time)
    let cache = (stamped + far).clocked(by: time).expiring(after: .seconds(10))
    _ = cache.set(0, 5)
    _ = stamped.clear()
    clock.advance(by: .seconds(9))
    XCTAssertEqual(cache.get(0).answer, "5")
    XCTAssertEqual(stamped.get(0).outcome?.value, far.get(0).outcome?.value)
    clock.advance(by: .seconds(1))
    XCTAssertEqual(cache.get(0).answer, "not found")
    clock.advance(by: .seconds(-3600))  // Simulates a clock that was set back between two runs.
    XCTAssertEqual(cache.get(0).answer, "not found")
  }

  func testADeadlineIsExactIfTheCoarseTimeIsBehind() {
    let (clock, reads) = (clock, Lock(0))
    let lagging = TimeSource(
      now: {
        reads.withLock { $0 += 1 }
        return clock.now
      }, coarse: { clock.now.advanced(by: .milliseconds(-9_999)) }, after: time.after)
    let cache = Cache<Int, Stamped<Int>>.dictionary().clocked(by: lagging)
      .expiring(after: .seconds(60))
    _ = cache.set(0, 5)
    clock.advance(by: .seconds(20))
    reads.withLock { $0 = 0 }
    XCTAssertEqual(cache.get(0).answer, "5")
    XCTAssertEqual(reads.withLock { $0 }, 0, "The coarse clock should be sufficient.")
    clock.advance(by: .nanoseconds(39_999_999_999))
    XCTAssertEqual(cache.get(0).answer, "5")
    XCTAssertEqual(reads.withLock { $0 }, 1)
    clock.advance(by: .nanoseconds(1))
    XCTAssertEqual(cache.get(0).answer, "not found")
  }

  func testANewValueIsFoundIfTheCoarseTimeIsBefore() {
    let clock = clock
    let lagging = TimeSource(
      now: time.now, coarse: { clock.now.advanced(by: .milliseconds(-9_999)) }, after: time.after)
    let level = Cache<Int, Stamped<Int>>.dictionary().clocked(by: lagging)
    let cache = level.expiring(after: .seconds(60))
    for ahead in [0, 1, 59, 60, 61] {
      let time = clock.now.advanced(by: .seconds(ahead))
      _ = level.set(0, Stamped(ahead, storedAt: time, lasting: .seconds(3_600)))
      XCTAssertEqual(cache.get(0).answer, ahead > 60 ? "not found" : "\(ahead)")
    }
  }

  func testASystemsValueIsFoundFromItsSetToItsDeadline() {
    let level: Cache<Int, Stamped<Int>> = .memory(clock: .system)
    let cache = level.expiring(after: .seconds(86_400))
    for value in 0..<10_000 {
      _ = cache.set(0, value)
      XCTAssertEqual(cache.get(0).outcome?.value, value)
      let past = TimeSource.system.now()
      _ = level.set(1, Stamped(value, storedAt: past, expiresAt: past))
      XCTAssertNil(cache.get(1).outcome?.value)
    }
  }

  func testAllValuesExpireAtAFixedTime() {
    let cache = stamped.clocked(by: time).expiring(at: clock.now.advanced(by: .seconds(10)))
    _ = cache.set(1, 1)
    clock.advance(by: .seconds(9))
    _ = cache.set(2, 2)
    XCTAssertEqual(cache.get(1).answer, "1")
    clock.advance(by: .seconds(1))
    XCTAssertEqual([cache.get(1).answer, cache.get(2).answer], ["not found", "not found"])
    _ = cache.set(3, 3)
    XCTAssertEqual(cache.get(3).answer, "not found")
  }

  func testEachValueHasItsOwnDeadline() {
    let cache = stamped.clocked(by: time).expiring { key, value in key == 0 ? nil : .seconds(value)
    }
    for key in 0..<4 { _ = cache.set(key, key) }
    clock.advance(by: .seconds(2))
    XCTAssertEqual((0..<4).map { cache.get($0).answer }, ["0", "not found", "not found", "3"])
  }

  func testZeroAndHugeLifetimesDoNotTrap() {
    for lifetime: Duration in [.zero, .seconds(-1), .most * -1] {
      let cache = stamped.clocked(by: time).expiring(after: lifetime, jitter: 0.5)
      _ = cache.set(0, 1)
      XCTAssertEqual(cache.get(0).answer, "not found")
    }
    for (lifetime, jitter) in [(Duration.most, 0.0), (.most, 1), (.seconds(Int64.max), .nan)] {
      let cache = stamped.clocked(by: time).expiring(after: lifetime, jitter: jitter)
      _ = cache.set(0, 1)
      XCTAssertEqual(cache.get(0).answer, "1")
    }
  }

  func testAPlanShowsTheJitterIfThereIsSome() {
    let stamped: Cache<Int, Stamped<Int>> = .memory()
    let plans = [0, 0.5].map { stamped.expiring(after: .seconds(60), jitter: $0).plan.description }
    XCTAssertEqual(plans.map { $0.contains("jitter") }, [false, true], "\(plans)")
  }

  func testPlansAndEventsGoThrough() {
    let events = Lock<[String]>([])
    let cache = stamped.named("memory").clocked(by: time).expiring(after: .seconds(60), jitter: 0.5)
      .observed(clock: time) { event in events.withLock { $0.append("\(event)") } }
    _ = cache.set(0, 1)
    XCTAssertEqual(events.withLock { $0.first }, "memory: set done in 0.0 ns")
    XCTAssertEqual(
      "\(cache.plan)",
      "memory(1000).named(\"memory\").expiring(after: 60 s, jitter: 0.5).observed()")
    XCTAssertEqual(
      "\(stamped.clocked(by: time).expiring(at: clock.now).plan)",
      "memory(1000).expiring(at: 2001-09-09T01:46:40Z)")
    XCTAssertEqual(
      "\(stamped.aged(atMost: .milliseconds(5)).plan)", "memory(1000).aged(atMost: 5 ms)")
    _ = stamped.expiring(at: TimeSource.Instant(sinceEpoch: .most)).plan.description
  }
}
