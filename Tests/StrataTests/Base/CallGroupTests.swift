import Foundation
import StrataLaws
import XCTest

@testable import Strata

final class CallGroupTests: XCTestCase {
  func testTheEndOfAGroupRunsOnceForEachMember() {
    let journal = Journal<String>()
    let (one, other) = (NSObject(), NSObject())
    CallGroup.begin()
    XCTAssertEqual(CallGroup.current?.add(ObjectIdentifier(one)) { journal.note("one") }, true)
    CallGroup.begin()
    XCTAssertEqual(CallGroup.current?.add(ObjectIdentifier(one)) { journal.note("one") }, false)
    XCTAssertEqual(CallGroup.current?.add(ObjectIdentifier(other)) { journal.note("other") }, true)
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
    _ = cache.getAll([1, 2])
    _ = cache.getSome([1, 2])
    _ = cache.batched().get([1])
    _ = cache.get(1)
    XCTAssertEqual(seen.withLock { $0 }.last, false)
    XCTAssertTrue(seen.withLock { $0 }.dropLast().allSatisfy { $0 })
    XCTAssertGreaterThan(seen.withLock { $0 }.count, 4)
  }
}
