import StrataLaws
import XCTest

@testable import StrataCore

final class HashKeyedTableTests: XCTestCase {
  func testItMatchesADictionary() {
    for seed in 0..<20 as Range<UInt64> {
      var random = SeededGenerator(seed: seed)
      var (table, dictionary) = (HashKeyedTable<Int>(), [Int: Int]())
      // Hashes with equal lower bits collide. Colliding entries that reach the end of the table
      // continue at its start.
      let hashes = (0..<60).map { $0 % 6 * 1_024 - $0 / 6 }
      for step in 0..<2_000 {
        let hash = hashes.randomElement(using: &random) ?? 0
        let value = Int.random(in: 0..<3, using: &random) == 0 ? nil : step
        table[hash] = value
        dictionary[hash] = value
        XCTAssertEqual(table[hash], value, "seed \(seed), step \(step)")
      }
      for hash in hashes { XCTAssertEqual(table[hash], dictionary[hash], "seed \(seed)") }
      XCTAssertEqual(table.count, dictionary.count)
      XCTAssertEqual(table.values.sorted(), dictionary.values.sorted())
    }
  }

  func testRemovingAnAbsentKeyHasNoEffect() {
    var table = HashKeyedTable<Int>()
    table[1] = nil
    table[1] = 1
    table[2] = nil
    XCTAssertEqual([table[1], table[2]], [1, nil])
    XCTAssertEqual(table.count, 1)
  }

  func testUnusedCapacityIsReleased() {
    var table = HashKeyedTable<Int>()
    let hashes = (0..<10_000).map(KeyVersions.hash)
    for hash in hashes { table[hash] = hash }
    for hash in hashes.dropLast() { table[hash] = nil }
    XCTAssertEqual(table[hashes[9_999]], hashes[9_999])
    XCTAssertLessThanOrEqual(table.capacity, 64)
  }
}
