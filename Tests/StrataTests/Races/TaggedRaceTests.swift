import StrataCore
import StrataVerbs
import XCTest

/// Removals of tags race with gets, loads, and back-fills.
final class TaggedRaceTests: XCTestCase {
  func testNoGetAfterARemovalReturnsAnOlderValue() async throws {
    for tags in [Tags(), Tags(in: .dictionary())] {
      let (source, removed) = (Lock(0), Lock(0))
      let origin = Fetcher<Int, Int> { _ async throws in
        let value = source.withLock { $0 }
        await Task.yield()
        return value
      }
      let stamped: Cache<Int, Stamped<Int>> = .memory()
      let stored = stamped.tagged(by: tags) { _, _ in ["all"] }.expiring(after: .seconds(60))
      let cache = (stored + origin.pooled()).pooled()
      try await withThrowingTaskGroup(of: Void.self) { group in
        for _ in 0..<4 {
          group.addTask {
            for _ in 0..<500 {
              let least = removed.withLock { $0 }
              let value = try await cache.value(for: 1)
              XCTAssertGreaterThanOrEqual(value, least)
            }
          }
        }
        group.addTask {
          for number in 1...200 {
            source.withLock { $0 = number }
            try await tags.remove("all")
            removed.withLock { $0 = number }
            await Task.yield()
          }
        }
        try await group.waitForAll()
      }
      let last = try await cache.value(for: 1)
      XCTAssertEqual(last, 200)
    }
  }
}
