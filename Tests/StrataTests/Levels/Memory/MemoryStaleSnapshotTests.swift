import Strata
import XCTest

/// Tests lookups that a `clear` interrupts. The key's `==` operator clears the level, so the
/// lookup's snapshot of the level becomes stale.
final class MemoryStaleSnapshotTests: XCTestCase {
  private final class Hook: Sendable {
    private let actions = Journal<@Sendable () -> Void>()

    func onComparison(_ action: @escaping @Sendable () -> Void) { actions.note(action) }
    func run() { for action in actions.entries { action() } }
  }

  private struct Key: Hashable, Sendable {
    let number: Int
    var hook: Hook?

    static func == (one: Key, other: Key) -> Bool {
      one.hook?.run()
      other.hook?.run()
      return one.number == other.number
    }

    func hash(into hasher: inout Hasher) { hasher.combine(number) }
  }

  private func clearing(_ body: (Cache<Key, Int>, Key) -> Void) -> Cache<Key, Int> {
    let cache: Cache<Key, Int> = .memory(capacity: 100)
    _ = cache.set(Key(number: 1), 1)
    let hook = Hook()
    hook.onComparison { _ = cache.clear() }
    body(cache, Key(number: 1, hook: hook))
    return cache
  }

  func testARemoveThatMeetsAClearSucceeds() {
    let cache = clearing { cache, key in
      XCTAssertNotNil(cache.remove(key).outcome?.value)
    }
    XCTAssertTrue(cache.get(Key(number: 1)).outcome?.error?.isMiss == true)
  }

  func testASetThatMeetsAClearStores() {
    let cache = clearing { cache, key in
      XCTAssertNotNil(cache.set(key, 2).outcome?.value)
    }
    XCTAssertEqual(cache.get(Key(number: 1)).outcome?.value, 2)
  }
}
