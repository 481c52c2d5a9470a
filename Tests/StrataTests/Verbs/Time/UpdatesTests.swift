import XCTest

@testable import StrataCore

final class UpdatesTests: XCTestCase {
  func testAFunctionMakesAReadAndIsCalledOnceForEach() async throws {
    let journal = Journal<Int>()
    let updates = Updates<Int, Int> { key in
      journal.note(key)
      return AsyncThrowingStream { continuation in
        continuation.yield(Update(key, from: .cached))
        continuation.yield(Update(key + 1, from: .fresh))
        continuation.finish()
      }
    }
    var seen: [Update<Int>] = []
    for try await update in updates.values(7) { seen.append(update) }
    XCTAssertEqual(seen, [Update(7, from: .cached), Update(8, from: .fresh)])
    _ = updates.values(9)
    XCTAssertEqual(journal.entries, [7, 9])
    XCTAssertEqual("\(updates.plan)", "updates")
  }

  func testUpdatesDifferInTheirValueOrTheirSource() {
    XCTAssertNotEqual(Update(1, from: .cached), Update(1, from: .fresh))
    XCTAssertNotEqual(Update(1, from: .cached), Update(2, from: .cached))
    XCTAssertEqual([UpdateSource.cached, .fresh].map(\.rawValue), ["cached", "fresh"])
  }
}
