import Foundation
import XCTest

@testable import StrataCore

/// Tests the rank of keys under skewed traffic.
final class MemoryStorageHottestTests: XCTestCase {
  /// Replays 200,000 gets of keys with a Zipf distribution. Half of the keys fit into the level.
  private func replay(_ storage: MemoryStorage<Int, Int>) -> [Int: Int] {
    let (level, keys) = (Cache.memory(storage), Double(2 * storage.capacity))
    var (random, counts) = (7 as UInt64, [Int: Int]())
    for _ in 0..<200_000 {
      random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      let key = Int(pow(keys, Double(random >> 11) / Double(1 << 53))) - 1
      counts[key, default: 0] += 1
      if level.get(key).outcome?.value == nil { _ = level.set(key, key) }
    }
    return counts
  }

  /// Of the 100 hottest keys, about 40 are in the real top 100. A rank by frequency found 5.
  func testManyOfTheHottestKeysAreTheMostPopular() {
    for capacity in [1_000, 20_000] {
      let storage = MemoryStorage<Int, Int>(capacity: .count(capacity))
      let counts = replay(storage)
      let top = Set(counts.sorted { $0.value > $1.value }.prefix(100).map(\.key))
      XCTAssertGreaterThan(storage.hottest(100).count { top.contains($0.key) }, 20)
    }
  }

  func testTheColdestKeyIsTheOldestWithoutAHit() {
    let storage = MemoryStorage<Int, Int>(capacity: 10)
    let level = Cache.memory(storage)
    for key in 0..<10 { _ = level.set(key, key) }
    for key in 0..<3 { _ = level.get(key) }
    XCTAssertEqual(Set(storage.hottest(3).map(\.key)), [0, 1, 2])
    let cold = storage.coldest(10)
    XCTAssertEqual(cold.count, 10)
    XCTAssertEqual(Set(cold.suffix(3).map(\.key)), [0, 1, 2])
  }

  func testAllKeysOfALargeLevelCanBeRanked() {
    let storage = MemoryStorage<Int, Int>(capacity: 20_000)
    for key in 0..<20_000 { storage.setIfAbsent(key, for: key) }
    XCTAssertEqual(storage.hottest(.max).count, storage.count)
    XCTAssertEqual(storage.coldest(.max / 2 + 1).count, storage.count)
  }
}
