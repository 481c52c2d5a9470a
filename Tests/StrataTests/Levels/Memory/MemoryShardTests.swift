import StrataLaws
import XCTest

@testable import Strata

/// A table of a shard against the plainest model: a set of what it holds.
final class MemoryShardTests: XCTestCase {
  private let shard = UnsafeMutablePointer<MemoryShard>.allocate(capacity: 1)

  override func setUp() { MemoryShard.initialize(at: shard) }

  override func tearDown() {
    MemoryShard.destroy(shard)
    shard.deallocate()
  }

  private struct Held: Hashable {
    let number: UInt32
    let hash: UInt64
  }

  /// Whether an entry is found from where its tag says on, before a place that is free.
  private func finds(_ held: Held) -> Bool {
    let tag = MemoryShard.tag(held.hash)
    var place = Int(tag &>> shard.pointee.shift)
    while shard.pointee.slots[place] != 0 {
      let slot = shard.pointee.slots[place]
      if slot == UInt64(tag) << 32 | UInt64(held.number + 1) { return true }
      place = (place + 1) & shard.pointee.mask
    }
    return false
  }

  func testWhatIsThereIsFoundAfterAnyInsertsAndRemoves() {
    var random = SeededGenerator(seed: 3)
    var model: Set<Held> = []
    for number in 0..<UInt32(3000) {
      // Few tags, so that runs of neighbours arise and are taken apart in the middle.
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
    let old = shard.pointee.removeAll()
    XCTAssertEqual(old.filter { $0 != 0 }.count, 100)
    freeZeroed(old.baseAddress)
    XCTAssertEqual(shard.pointee.count, 0)
    XCTAssertFalse(finds(Held(number: 5, hash: 5 << 40)))
  }
}
