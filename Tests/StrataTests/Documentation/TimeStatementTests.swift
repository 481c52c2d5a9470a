import Foundation
import Strata
import XCTest

final class TimeStatementTests: StatementCase {
  func testPromotionKeepsTheAge() throws {
    try expect("Time", states: "What is 50 seconds old on disk is then 50 seconds old in memory")
    let (time, clock) = TimeSource.manual()
    let near: Cache<String, Stamped<String>> = .memory(clock: time)
    let far: Cache<String, Stamped<String>> = .memory(capacity: 10, clock: time)
    _ = far.set("a", Stamped("value", storedAt: clock.now))
    clock.advance(by: .seconds(50))
    _ = try ended((near + far).get("a"))
    let promoted = try ended(near.get("a")).get()
    XCTAssertEqual(promoted.age(at: clock.now), .seconds(50))
  }

  func testAValueHasFourStages() throws {
    try expect("Time", states: "dividing the life of a value into four stages.")
    try expect("Time", states: "and `staleIfError`, begin when freshness ends.")
    let life = Freshness(
      for: .seconds(60), staleWhileRevalidate: .seconds(600), staleIfError: .seconds(86_400))
    let start = TimeSource.Instant(sinceEpoch: .zero)
    let value = Stamped("value", storedAt: start)
    let stages = [0, 59, 60, 659, 660, 86_459, 86_460].map { seconds in
      life.stage(of: value, at: start.advanced(by: .seconds(seconds)))
    }
    XCTAssertEqual(
      stages,
      [.fresh, .fresh, .stale, .stale, .staleOnError, .staleOnError, .expired])
  }

  func testAValueFromTheFutureIsAMiss() throws {
    try expect(
      "Time", states: "creation time is more than 60 seconds ahead, a get of it is a miss")
    let (time, clock) = TimeSource.manual()
    let stamped: Cache<String, Stamped<String>> = .dictionary().clocked(by: time)
    let hourly = stamped.expiring(after: .seconds(3600))
    for (ahead, isHit) in [(60, true), (61, false)] {
      _ = stamped.set("a", Stamped("a", storedAt: clock.now.advanced(by: .seconds(ahead))))
      XCTAssertEqual(try ended(hourly.get("a")).value != nil, isHit, "\(ahead)")
    }
  }

  func testAMissIsRememberedForItsTime() throws {
    try expect("Time", states: "a key that missed isn't requested again for 30 seconds")
    try expect("Time", states: "a write forgets the key's miss immediately.")
    let (time, clock) = TimeSource.manual()
    let calls = Journal<String>()
    let origin = Fetcher<String, String>(offMainThread: false) { key in
      calls.note(key)
      throw CacheError.notFound
    }
    let cache = memory + origin.rememberingMisses(for: .seconds(30), clock: time)
    for _ in 1...3 { XCTAssertNil(try ended(cache.get("a")).value) }
    XCTAssertEqual(calls.count, 1)
    clock.advance(by: .seconds(30))
    _ = cache.get("a")
    XCTAssertEqual(calls.count, 2)
    _ = cache.remove("a")
    _ = cache.get("a")
    XCTAssertEqual(calls.count, 3)
  }

  func testASumHasTheClockOfItsUppermostLevel() throws {
    try expect("Time", states: "if several levels of a sum have clocks, the uppermost decides.")
    let (time, clock) = TimeSource.manual()
    clock.advance(by: .seconds(5))
    let plain: Cache<String, Stamped<String>> = .dictionary()
    let sum = plain + .memory(clock: time) + .memory()
    XCTAssertEqual(sum.clock.now(), clock.now)
  }

  func testARestartedAgeIsReported() throws {
    try expect("Time", states: "the property `advice` of the plan warns you")
    try expect("Time", states: "Each part would stamp values by itself, so a back-fill")
    let (time, clock) = TimeSource.manual()
    let stamped: Cache<String, Stamped<String>> = .memory(clock: time)
    let other: Cache<String, Stamped<String>> = .memory(clock: time)
    let (a, b) = (stamped.expiring(after: .seconds(60)), other.expiring(after: .seconds(60)))
    _ = b.set("a", "value")
    clock.advance(by: .seconds(50))
    _ = (a + b).get("a")
    XCTAssertEqual(try ended(stamped.get("a")).get().age(at: clock.now), .zero)
  }
}
