import StrataLaws
import XCTest

@testable import StrataCore

/// What a sum keeps, and for how long.
final class SumOrderTests: XCTestCase {
  func testAGetThatWaitsForTwoLevelsLeavesNothingBehind() {
    let (one, other) = (Later<Int>(), Later<Int>())
    let order = SumOrder(levels: 3)
    let levels: [Cache<Int, Int>] = [
      .memory(), .init(keepsOrder: true, get: { _ in one.promise }, set: { _, _ in Promise() }),
      .init(keepsOrder: true, get: { _ in other.promise }, set: { _, _ in Promise() }),
    ]
    let members = levels.map { CacheMetadata.Member($0) }
    let sum = Sum(members, order: order, clock: .system, reporter: nil)
    let get = sum.get(1)
    XCTAssertTrue(isWatched(sum, in: order))
    one.continuation.fail(CacheError.notFound)
    XCTAssertTrue(isWatched(sum, in: order))
    other.continuation.succeed(7)
    XCTAssertEqual(get.answer, "7")
    XCTAssertFalse(isWatched(sum, in: order))
  }

  private func isWatched(_ sum: Sum<Int, Int>, in order: SumOrder) -> Bool {
    order.state.withLock { $0.calls.versions.keys[sum.hash(of: 1)] } != nil
  }

  private final class Key: Hashable, Sendable {
    static func == (one: Key, other: Key) -> Bool { true }
    func hash(into hasher: inout Hasher) {}
  }

  func testAHiddenKeyIsReleasedWhenItIsShown() {
    struct Full: Error {}
    let fails = Lock(true)
    let store = Cache<Key, Int>.dictionary()
    let level = Cache<Key, Int>(
      keepsOrder: true, get: store.get,
      set: { _, _ in fails.withLock { $0 } ? Promise(error: Full()) : Promise() },
      remove: { _ in fails.withLock { $0 } ? Promise(error: Full()) : Promise() })
    let cache = level + .dictionary()
    weak var released: Key?
    do {
      let key = Key()
      released = key
      _ = cache.set(key, 1)
      _ = cache.remove(key)
    }
    XCTAssertNotNil(released, "The sum should remember the key that is hidden.")
    fails.withLock { $0 = false }
    XCTAssertEqual(cache.remove(Key()).answer, "()")
    XCTAssertNil(released)
  }
}
