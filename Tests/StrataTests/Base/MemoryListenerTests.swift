import XCTest

@testable import StrataCore
@testable import StrataVerbs

final class MemoryListenerTests: XCTestCase {
  func testListenersShareOneSubscriptionWhileTheyExist() {
    let (warn, subscriptions) = (Lock<(@Sendable () -> Void)?>(nil), Lock(0))
    let group = MemoryListener.Group { call in
      subscriptions.withLock { $0 += 1 }
      warn.withLock { $0 = call }
    }
    let seen = Journal<String>()
    let first = MemoryListener(in: group) { seen.note("first") }
    var second: MemoryListener? = MemoryListener(in: group) { seen.note("second") }
    XCTAssertNotNil(second)
    warn.withLock { $0 }?()
    XCTAssertEqual(seen.entries, ["second", "first"])
    second = nil
    warn.withLock { $0 }?()
    XCTAssertEqual(seen.entries, ["second", "first", "first"])
    XCTAssertEqual(subscriptions.withLock { $0 }, 1)
    withExtendedLifetime(first) {}
  }
}
