import StrataLaws
import XCTest

@testable import StrataCore
@testable import StrataVerbs

final class CacheMetadataTests: XCTestCase {
  func testTheRootOfAPlanHasTheTypesOfItsCache() {
    let metadata = CacheMetadata<Int, String>(plan: .level("mine", .memory))
    XCTAssertEqual(metadata.plan.types, CachePlan.Types(key: "Int", value: "String"))
    let known = CachePlan.Types(key: "A", value: "B")
    XCTAssertEqual(
      CacheMetadata<Int, Int>(plan: .level("mine", .memory, types: known)).plan.types, known)
  }

  func testTheFirstClockStays() {
    let (one, two) = (TimeSource.manual(), TimeSource.manual(startingAt: .last))
    let cache: Cache<Int, Int> = .dictionary()
    XCTAssertNil(cache.metadata.clock)
    let clocked = cache.clocked(by: one.clock)
    XCTAssertEqual(clocked.clock.now(), one.time.now)
    XCTAssertEqual(clocked.clocked(by: two.clock).clock.now(), one.time.now)
    XCTAssertEqual(clocked.pooled().named("a").clock.now(), one.time.now)
  }

  func testASumHasTheClockOfItsUppermostLevelThatStatesOne() {
    let (one, two) = (TimeSource.manual(), TimeSource.manual(startingAt: .last))
    let plain: Cache<Int, Int> = .dictionary()
    let sum = plain + plain.clocked(by: one.clock) + plain.clocked(by: two.clock)
    XCTAssertEqual(sum.clock.now(), one.time.now)
    let both = (plain + plain).clocked(by: two.clock)
    XCTAssertEqual((both + plain).clock.now(), two.time.now)
  }

  func testABackFillUsesTheTicketThatWasTakenAfterItsMiss() {
    let journal = Journal<String>()
    let plain = Cache<Int, Int>.dictionary()
    let level = plain.filledByTicket(
      take: { key, _ in Promise("ticket of \(key)") },
      set: { key, value, ticket in
        journal.note("\(ticket) fills \(key)")
        return plain.set(key, value)
      })
    let cache = level + Fetcher(offMainThread: false) { $0 + 10 }
    XCTAssertEqual(cache.get(1).answer, "11")
    XCTAssertEqual(journal.entries, ["ticket of 1 fills 1"])
    XCTAssertEqual(level.get(1).answer, "11")
  }

  func testALevelOfStampedValuesStatesItsClock() {
    let (time, clock) = TimeSource.manual()
    let level: Cache<Int, Stamped<Int>> = .memory(clock: time)
    XCTAssertEqual(level.clock.now(), clock.now)
    let cache = level.expiring(after: .seconds(10))
    _ = cache.set(0, 1)
    XCTAssertEqual(cache.get(0).answer, "1")
    clock.advance(by: .seconds(10))
    XCTAssertEqual(cache.get(0).answer, "not found")
  }
}
