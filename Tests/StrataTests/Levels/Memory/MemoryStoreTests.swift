import XCTest

@testable import StrataCore
@testable import StrataVerbs

final class MemoryStoreTests: XCTestCase {
  /// The level allocates memory only when it stores values, so a large capacity alone takes no
  /// memory.
  func testALevelOfAnyCapacityStartsSmallAndStoresEverything() {
    let before = Memory.addressSpace
    let store = MemoryStore<Int, Int>(capacity: .max, cost: nil, seed: 1)
    for key in 0..<5_000 { store.set(-key, for: key) }
    for key in 0..<5_000 { XCTAssertEqual(store.value(for: key), -key) }
    XCTAssertEqual(store.total, 5_000)
    XCTAssertLessThan(Memory.addressSpace - before, 1 << 30)
  }

  func testALevelFillsItsCapacityAndDoesNotExceedIt() {
    let store = MemoryStore<Int, Int>(capacity: 10, cost: { $0 }, seed: 1)
    for key in 0..<100 {
      store.set(1 + key % 4, for: key)
      XCTAssertLessThanOrEqual(store.total, 10)
    }
    let held = (0..<100).compactMap { store.value(for: $0) }
    XCTAssertEqual(held.reduce(0, +), store.total)
    XCTAssertGreaterThanOrEqual(store.total, 7)
    store.removeAll()
    XCTAssertEqual(store.total, 0)
  }
}
