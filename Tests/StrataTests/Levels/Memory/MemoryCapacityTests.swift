import Foundation
import XCTest

@testable import StrataCore
@testable import StrataVerbs

final class MemoryCapacityTests: XCTestCase {
  private func held<Value>(_ cache: Cache<Int, Value>, of count: Int, _ value: Value) -> Int {
    for key in 0..<count { _ = cache.set(key, value) }
    return (0..<count).count { cache.get($0).outcome?.value != nil }
  }

  func testASizeInBytesIsTheStoredSize() {
    XCTAssertEqual(MemoryCapacity<Data>.bytes(9).measure?(Data(count: 7)), 7)
    XCTAssertEqual(MemoryCapacity<[UInt8]>.bytes(9).measure?([1, 2]), 2)
    XCTAssertEqual(MemoryCapacity<String>.bytes(9).measure?("é😀"), 6)
    let stamped = Stamped(Data(count: 7), storedAt: TimeSource.system.now())
    XCTAssertEqual(MemoryCapacity<Stamped<Data>>.bytes(9).measure?(stamped), 7)
  }

  func testOnlyACapacityInBytesIsShownInBytes() {
    let level: Cache<Int, Int> = .memory(capacity: .cost(2000) { $0 })
    let bytes: Cache<Int, Data> = .memory(capacity: .bytes(2000))
    let both: Cache<Int, Data> = .memory(capacity: .bytes(2000).and(count: 3))
    XCTAssertEqual(
      "\(level.plan) \(bytes.plan) \(both.plan)",
      "memory(2000) memory(2 kB) memory(2 kB, count: 3)")
  }

  func testANumberAloneCountsValues() {
    XCTAssertEqual(held(.memory(capacity: 5), of: 20, Data(count: 100)), 5)
  }

  func testBothLimitsHold() {
    let small: Cache<Int, Data> = .memory(capacity: .bytes(1000).and(count: 4))
    XCTAssertEqual(held(small, of: 20, Data(count: 1)), 4)
    let large: Cache<Int, Data> = .memory(capacity: .bytes(1000).and(count: 4))
    XCTAssertEqual(held(large, of: 20, Data(count: 400)), 2)
    let tiny: Cache<Int, Data> = .memory(capacity: .bytes(3).and(count: 100))
    XCTAssertEqual(held(tiny, of: 20, Data(count: 1)), 3)
    for none in [MemoryCapacity<Data>.bytes(-1).and(count: 5), .bytes(5).and(count: -1)] {
      XCTAssertEqual(held(.memory(capacity: none), of: 5, Data()), 0)
    }
    XCTAssertEqual(held(.memory(capacity: .count(5).and(count: 3)), of: 20, 1), 3)
  }

  func testTheDefaultBoundsBytesWhereStrataKnowsThem() {
    XCTAssertEqual(held(.memory(), of: 1100, 1), 1000)
    XCTAssertEqual(held(.memory(), of: 1100, Data(count: 1)), 1000)
    XCTAssertEqual(held(.memory(), of: 10, Data(count: 16 << 20)), 4)
    XCTAssertEqual(held(.memory(), of: 10, String(repeating: "a", count: 20 << 20)), 3)
    let time = TimeSource.manual().clock
    let stamped: Cache<Int, Stamped<Data>> = .memory(clock: time)
    let body = Stamped(Data(count: 20 << 20), storedAt: time.now())
    XCTAssertEqual(held(stamped, of: 10, body), 3)
    XCTAssertEqual(Cache<Int, Data>.memory().plan.description, "memory(1000)")
  }
}
