import Foundation
import StrataLaws
import XCTest

@testable import StrataCore
@testable import StrataVerbs

final class CallGroupTests: XCTestCase {
  func testTheEndOfAGroupRunsOnceForEachMember() throws {
    let journal = Journal<String>()
    let (one, other) = (NSObject(), NSObject())
    CallGroup.begin()
    let group = try XCTUnwrap(CallGroup.current)
    XCTAssertFalse(group.contains(ObjectIdentifier(one)))
    group.add(ObjectIdentifier(one)) { journal.note("one") }
    CallGroup.begin()
    XCTAssertTrue(CallGroup.current === group)
    XCTAssertTrue(group.contains(ObjectIdentifier(one)))
    XCTAssertFalse(group.contains(ObjectIdentifier(other)))
    group.add(ObjectIdentifier(other)) { journal.note("other") }
    CallGroup.end()
    XCTAssertEqual(journal.entries, [], "The end of an inner group should run no closure.")
    CallGroup.end()
    XCTAssertEqual(journal.entries, ["one", "other"])
    XCTAssertNil(CallGroup.current)
  }

  func testAnotherThreadHasNoGroup() {
    CallGroup.begin()
    defer { CallGroup.end() }
    let hasGroup = Lock<Bool?>(nil)
    let done = DispatchSemaphore(value: 0)
    Thread.detachNewThread {
      hasGroup.withLock { $0 = CallGroup.current != nil }
      done.signal()
    }
    done.wait()
    XCTAssertEqual(hasGroup.withLock { $0 }, false)
  }

  func testTheGetsOfManyKeysAreAGroup() {
    let seen = Lock<[Bool]>([])
    let cache = Cache<Int, Int>.dictionary().transformingGet("group") { get in
      { key in
        seen.withLock { $0.append(CallGroup.current != nil) }
        return get(key)
      }
    }
    _ = cache.values(of: [1, 2])
    _ = cache.known(of: [1, 2])
    _ = cache.batched().get([1])
    _ = cache.get(1)
    XCTAssertEqual(seen.withLock { $0 }.last, false)
    XCTAssertTrue(seen.withLock { $0 }.dropLast().allSatisfy { $0 })
    XCTAssertGreaterThan(seen.withLock { $0 }.count, 4)
  }
}
