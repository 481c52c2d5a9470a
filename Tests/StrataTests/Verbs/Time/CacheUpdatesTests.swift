import XCTest

@testable import StrataCore
@testable import StrataVerbs

final class CacheUpdatesTests: XCTestCase {
  func testAFunctionMakesAReadAndIsCalledOnceForEach() async throws {
    let journal = Journal<Int>()
    let updates = CacheUpdates<Int, Int> { key in
      journal.note(key)
      return AsyncThrowingStream { continuation in
        continuation.yield(CacheUpdate(key, from: .cached))
        continuation.yield(CacheUpdate(key + 1, from: .fresh))
        continuation.finish()
      }
    }
    var seen: [CacheUpdate<Int>] = []
    for try await update in updates.values(7) { seen.append(update) }
    XCTAssertEqual(seen, [CacheUpdate(7, from: .cached), CacheUpdate(8, from: .fresh)])
    _ = updates.values(9)
    XCTAssertEqual(journal.entries, [7, 9])
    XCTAssertEqual("\(updates.plan)", "updates")
  }

  func testUpdatesDifferInTheirValueOrTheirSource() {
    XCTAssertNotEqual(CacheUpdate(1, from: .cached), CacheUpdate(1, from: .fresh))
    XCTAssertNotEqual(CacheUpdate(1, from: .cached), CacheUpdate(2, from: .cached))
    XCTAssertEqual([UpdateSource.cached, .fresh].map(\.rawValue), ["cached", "fresh"])
  }
}
