import XCTest

@testable import StrataCore

final class EvictedEntriesTests: XCTestCase {
  private func told(_ evicted: EvictedEntries<String, Int>) -> [String] {
    var told: [String] = []
    evicted.forEach(writtenKey: "written") { key, value, cause in
      told.append("\(key) \(value) \(cause)")
    }
    return told
  }

  func testItIsEmptyAtFirst() { XCTAssertEqual(told(EvictedEntries()), []) }

  func testWithoutAKeyTheEvictedEntryHasTheWrittenKey() {
    XCTAssertEqual(told(EvictedEntries(nil, 1, .replaced)), ["written 1 replaced"])
    XCTAssertEqual(told(EvictedEntries("a", 1, .expired)), ["a 1 expired"])
    XCTAssertEqual(told(EvictedEntries("a", nil, .capacity)), [])
  }

  func testAllEntriesAreReportedInOrderWithTheirCauses() {
    var evicted = EvictedEntries<String, Int>()
    evicted.append("a", 1, .capacity)
    evicted.append("b", 2, .expired)
    var other = EvictedEntries<String, Int>(nil, 3, .replaced)
    other.append("d", 4, .removed)
    evicted.append(other, writtenKey: "c")
    XCTAssertEqual(told(evicted), ["a 1 capacity", "b 2 expired", "c 3 replaced", "d 4 removed"])
  }
}
