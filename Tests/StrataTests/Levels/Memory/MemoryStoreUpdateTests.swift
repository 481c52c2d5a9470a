import XCTest

@testable import StrataCore

final class MemoryStoreUpdateTests: XCTestCase {
  func testAPresentValueIsNotEvicted() {
    let gone = Lock<[Int]>([])
    let storage = MemoryStorage<Int, Int>(capacity: 5) { _, value, _ in
      gone.withLock { $0.append(value) }
    }
    XCTAssertNil(storage.setIfAbsent(5, for: 1))
    XCTAssertEqual(storage.setIfAbsent(6, for: 1), 5)
    XCTAssertEqual(gone.withLock { $0 }, [])
  }

  func testAValueThatGrowsIsNotLost() {
    let evicted = Lock<[String]>([])
    let storage = MemoryStorage<String, [Int]>(capacity: .cost(4) { $0.count }) {
      key, value, cause in
      evicted.withLock { $0.append("\(key) \(value) \(cause)") }
    }
    storage.update("a") { _ in [1, 2, 3] }
    storage.update("b") { _ in [0] }
    XCTAssertEqual(storage.update("a") { ($0 ?? []) + [4] }, [1, 2, 3, 4])
    XCTAssertEqual(storage.peek("a"), [1, 2, 3, 4])
    XCTAssertEqual(Set(evicted.withLock { $0 }), ["a [1, 2, 3] replaced", "b [0] capacity"])
  }
}
