import StrataLaws
import XCTest

@testable import StrataCore
@testable import StrataVerbs

/// Compares a shard's table with the simplest model: a set of the table's entries.
final class MemoryShardTests: XCTestCase {
  private let shards = MemoryShard.allocate(1)
  private var shard: UnsafeMutablePointer<MemoryShard> { MemoryShard.shard(of: 0, in: shards) }

  override func tearDown() {
    MemoryShard.deallocate(shards, 1)
  }

  private struct Held: Hashable {
    let number: UInt32
    let hash: UInt64
  }

  /// Whether a search that begins at the entry's home slot finds the entry before it reaches an
  /// empty slot.
  private func finds(_ held: Held) -> Bool {
    let tag = MemoryShard.tag(held.hash)
    var index = Int(tag &>> shard.pointee.shift)
    while shard.pointee.slots[index] != 0 {
      let slot = shard.pointee.slots[index]
      if slot == UInt64(tag) << 32 | UInt64(held.number + 1) { return true }
      index = (index + 1) & shard.pointee.mask
    }
    return false
  }

  func testEntriesAreFoundAfterAnyInsertsAndRemoves() {
    var random = SeededGenerator(seed: 3)
    var model: Set<Held> = []
    for number in 0..<UInt32(3000) {
      // Uses only 40 different hashes, so entries form long runs, and many removals are in the
      // middle of a run.
      let held = Held(number: number, hash: UInt64.random(in: 0..<40, using: &random) << 52)
      if number % 3 == 2, let old = model.min(by: { $0.number < $1.number }) {
        model.remove(old)
        shard.pointee.remove(old.number, old.hash)
        XCTAssertFalse(finds(old))
      }
      model.insert(held)
      shard.pointee.insert(held.number, held.hash)
      if number % 50 == 0 { XCTAssertTrue(model.allSatisfy(finds), "after \(number)") }
    }
    XCTAssertEqual(shard.pointee.count, model.count)
    XCTAssertTrue(model.allSatisfy(finds))
    XCTAssertGreaterThan(shard.pointee.mask, model.count)
  }

  func testAClearLeavesATableThatIsSmallAndEmpty() {
    for number in 0..<UInt32(100) { shard.pointee.insert(number, UInt64(number) << 40) }
    let size = shard.pointee.mask + 1
    let old = shard.pointee.removeAll()
    XCTAssertEqual(old.count, size)
    XCTAssertEqual(old.filter { $0 != 0 }.count, 100)
    ShardTables.free(old.baseAddress)
    XCTAssertEqual(shard.pointee.count, 0)
    XCTAssertFalse(finds(Held(number: 5, hash: 5 << 40)))
  }
}
