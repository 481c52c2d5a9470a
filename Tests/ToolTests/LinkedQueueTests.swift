import XCTest

@testable import strata_tool

/// Compares the queue with the simplest model: an array.
final class LinkedQueueTests: XCTestCase {
  func testRemovalsPreserveTheOrder() {
    var (queue, model, state) = (LinkedQueue(keys: 20), [Int](), 7)
    for _ in 0..<5_000 {
      state = (state * 1_103_515_245 + 12_345) & 0x7fff_ffff
      let key = (state >> 8) % 20
      if (state >> 4) & 3 == 0, !model.isEmpty {
        XCTAssertEqual(queue.removeOldest(), model.removeFirst())
      } else if let index = model.firstIndex(of: key) {
        queue.remove(key)
        model.remove(at: index)
      } else {
        queue.append(key)
        model.append(key)
      }
      XCTAssertEqual(queue.count, model.count)
      XCTAssertEqual([queue.oldest, queue.newest], [model.first ?? -1, model.last ?? -1])
    }
    for (key, next) in zip(model, model.dropFirst()) {
      XCTAssertEqual(queue.next(after: key), next)
    }
    XCTAssertEqual(queue.next(after: model.last ?? 0), -1)
  }
}
