import XCTest

@testable import StrataCore
@testable import StrataVerbs

final class PooledLoadsTests: XCTestCase {
  private final class Key: Sendable {}

  private var loads = PooledLoads()

  private func joinable(_ hash: Int) -> [Int] {
    let joinable = loads.joinable(hash)
    return ((joinable.first.map { [$0] } ?? []) + joinable.others).map(\.id.number)
  }

  func testALoadBeginsOnlyIfTheCallerKnowsTheNewestLoadOfItsHash() {
    let first = loads.begin(7, Key(), after: 0)
    XCTAssertEqual(first?.number, 1)
    XCTAssertNil(loads.begin(7, Key(), after: 0))
    XCTAssertEqual(loads.begin(8, Key(), after: 0)?.number, 2)
    XCTAssertEqual(loads.begin(7, Key(), after: 1)?.number, 3)
    XCTAssertEqual(joinable(7), [3, 1])
    XCTAssertEqual(loads.count, 3)
  }

  func testTheEndOfTheNewestLoadRevealsTheOlderLoadOfItsHash() throws {
    let ids = try (0..<3).map { try XCTUnwrap(loads.begin(7, Key(), after: $0)) }
    XCTAssertEqual(loads.end(ids[2])?.id, ids[2])
    XCTAssertNil(loads.end(ids[2]))
    XCTAssertEqual(joinable(7), [2, 1])
    XCTAssertEqual(loads.end(ids[0])?.id, ids[0])
    XCTAssertEqual(loads.end(ids[1])?.id, ids[1])
    XCTAssertEqual(loads.count, 0)
  }

  func testDetachingAHashLeavesTheLoadsOfOtherHashes() {
    _ = loads.begin(7, Key(), after: 0)
    _ = loads.begin(7, Key(), after: 1)
    _ = loads.begin(8, Key(), after: 0)
    loads.detach(7)
    XCTAssertEqual(joinable(7), [])
    XCTAssertEqual(joinable(8), [3])
    loads.detach(nil)
    _ = loads.begin(9, Key(), after: 0)
    XCTAssertEqual((7...9).map(joinable), [[], [], [4]])
  }

  func testALoadThatHasEndedIsNotChanged() throws {
    let id = try XCTUnwrap(loads.begin(7, Key(), after: 0))
    XCTAssertEqual(loads.update(id) { _ in } != nil, true)
    _ = loads.end(id)
    XCTAssertNil(loads.update(id) { _ in })
  }

  /// A load that has ended isn't watched, so its hash takes no memory.
  func testLoadsThatHaveEndedAreForgotten() throws {
    for order in [[0, 1, 2], [2, 1, 0], [1, 0, 2]] {
      let ids = try (0..<3).map { _ in
        try XCTUnwrap(loads.begin(7, Key(), after: loads.joinable(7).newest))
      }
      for index in order { _ = loads.end(ids[index]) }
      XCTAssertEqual(loads.watched, 0, "\(order)")
    }
  }
}
