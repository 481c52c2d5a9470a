import Dispatch
import Synchronization
import XCTest

@testable import StrataCore
@testable import StrataVerbs

/// Tests overwrites that race with removals of the same key. The key is a custom struct, so the
/// store treats its `==` as user code and calls it outside the locks.
final class MemoryOverwriteRaceTests: XCTestCase {
  private struct Key: Hashable, Sendable {
    let number: Int
  }

  /// A class that counts its live instances.
  private final class Counted: Sendable {
    static let living = Atomic<Int>(0)
    let key: Int

    init(_ key: Int) {
      self.key = key
      Counted.living.add(1, ordering: .relaxed)
    }

    deinit { Counted.living.subtract(1, ordering: .relaxed) }
  }

  /// If a value could be stored in a node that is being emptied, the value would be released twice
  /// or not at all.
  func testEveryValueIsReleasedOnce() {
    let rounds = Extent.rounds(50_000, full: 2_000_000)
    do {
      let store = MemoryStore<Key, Counted>(capacity: 4, cost: nil, seed: 1)
      DispatchQueue.concurrentPerform(iterations: 4) { thread in
        for round in 0..<rounds {
          let key = Key(number: (round + thread) % 3)
          if thread % 2 == 0 {
            store.set(Counted(key.number), for: key)
          } else {
            _ = store.remove(key)
          }
          if let value = store.value(for: key), value.key != key.number {
            return XCTFail("another key's value")
          }
        }
      }
    }
    XCTAssertEqual(Counted.living.load(ordering: .relaxed), 0)
  }
}
