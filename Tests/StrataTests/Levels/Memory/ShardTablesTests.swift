import XCTest

@testable import StrataCore

final class ShardTablesTests: XCTestCase {
  /// The smallest number of slots of a table for which the tables of four shards share a block.
  private let large = HugePages.threshold / 8 / 4
  private var tables = ShardTables(shards: 4)

  override func tearDown() {
    tables.reset()
    ZeroedMemory.largest.store(.max, ordering: .relaxed)
  }

  private func take(_ size: Int) throws -> ShardTables.Slots {
    try XCTUnwrap(tables.allocate(size))
  }

  private func distance(_ one: ShardTables.Slots, _ other: ShardTables.Slots) -> Int {
    abs(Int(bitPattern: one) - Int(bitPattern: other))
  }

  func testLargeTablesShareABlockAndAreZeroedAndApart() throws {
    let taken = try (0..<4).map { _ in try take(large) }
    for (number, table) in taken.enumerated() {
      XCTAssertEqual(Int(bitPattern: table) % 64, 0)
      XCTAssertTrue((0..<large).allSatisfy { table[$0] == 0 })
      table.update(repeating: UInt64(number + 1), count: large)
    }
    for (number, table) in taken.enumerated() {
      XCTAssertTrue((0..<large).allSatisfy { table[$0] == UInt64(number + 1) })
      XCTAssertLessThan(distance(taken[0], table), 4 * (8 * large + 64))
    }
    taken.forEach(ShardTables.free)
  }

  func testTheLastTableFreesTheBlock() throws {
    let growth = try Memory.growth {
      for order in [[0, 1, 2, 3], [3, 1, 0, 2]] {
        for isReset in [false, true] {
          let taken = try (0..<4).map { _ in try take(large) }
          if isReset { tables.reset() }
          for index in order { ShardTables.free(taken[index]) }
          tables.reset()
        }
      }
    }
    XCTAssertLessThanOrEqual(growth ?? 0, 0)
  }

  func testATableOutlivesTheResetAndTheNextBlock() throws {
    let old = try take(large)
    old[large - 1] = 7
    let new = try take(2 * large)
    XCTAssertEqual(new[0], 0)
    tables.reset()
    XCTAssertEqual(old[large - 1], 7)
    ShardTables.free(new)
    ShardTables.free(old)
  }

  /// A shard may need a table of an earlier size, or a fifth one.
  func testATableThatIsNotInTheBlockHasItsOwnMemory() throws {
    let sizes = [1, 4, 2, 4, 4, 4, 4].map { $0 * large / 2 }
    let taken = try sizes.map(take)
    for table in taken { XCTAssertEqual(table[large / 2 - 1], 0) }
    taken.forEach(ShardTables.free)
  }

  func testIfABlockIsRefusedEachTableHasItsOwnMemory() throws {
    ZeroedMemory.largest.store(8 * large + 64, ordering: .relaxed)
    let taken = try (0..<4).map { _ in try take(large) }
    XCTAssertNil(tables.allocate(2 * large))
    taken.forEach(ShardTables.free)
    ShardTables.free(nil)
  }
}
