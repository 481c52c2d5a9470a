import Foundation
import XCTest

@testable import StrataCore

final class CostTests: XCTestCase {
  func testACostOfPixelsIsFourBytesEach() {
    let cost = Cost<Int>.pixels { (width: $0, height: 2) }
    XCTAssertEqual(cost.measure(10), 80)
  }

  func testAnImageOfEnormousSizeHasTheMaximumCost() {
    let cost = Cost<Int>.pixels { (width: $0, height: $0) }
    for side in [Int.max, 1 << 40, 1 << 31] { XCTAssertEqual(cost.measure(side), .max) }
  }

  func testTheCostInBytesIsTheStoredSize() {
    XCTAssertEqual(Cost<Data>.bytes.measure(Data(count: 7)), 7)
    XCTAssertEqual(Cost<[UInt8]>.bytes.measure([1, 2]), 2)
    XCTAssertEqual(Cost<String>.bytes.measure("é😀"), 6)
  }

  func testOnlyACostInBytesIsShownInBytes() {
    let level: Cache<Int, Int> = .memory(capacity: 2000, cost: Cost { $0 })
    let bytes: Cache<Int, Data> = .memory(capacity: 2000, cost: .bytes)
    XCTAssertEqual("\(level.plan) \(bytes.plan)", "memory(2000) memory(2 kB)")
  }
}
