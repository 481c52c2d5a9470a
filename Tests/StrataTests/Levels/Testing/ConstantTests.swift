import StrataLaws
import XCTest

@testable import StrataCore
@testable import StrataVerbs

final class ConstantTests: XCTestCase {
  func testAConstantReturnsItsValueAndIgnoresWrites() {
    let cache: Cache<String, Int> = .constant(7)
    _ = cache.set("a", 8)
    _ = cache.remove("a")
    _ = cache.clear()
    cache.memoryWarning()
    XCTAssertEqual(cache.get("a").answer, "7")
    XCTAssertEqual(cache.plan.description, "constant")
  }

  func testAConstantBelowIsBackFilled() {
    let upper: Cache<String, Int> = .dictionary()
    XCTAssertEqual((upper + .constant(7)).get("a").answer, "7")
    XCTAssertEqual(upper.get("a").answer, "7")
  }

  func testEveryOperationOfAFailingLevelFails() {
    let cache: Cache<String, Int> = .failing(CacheError.timedOut())
    let ends = [
      cache.get("a").outcome?.error, cache.set("a", 1).outcome?.error,
      cache.remove("a").outcome?.error, cache.clear().outcome?.error,
    ]
    XCTAssertEqual(ends.map { $0 as? CacheError }, Array(repeating: .timedOut(), count: 4))
    XCTAssertEqual(cache.plan.description, "failing")
  }

  func testAFailingLevelFallsThrough() {
    let cache: Cache<String, Int> = .failing(CacheError.timedOut()) + .dictionary(["a": 1])
    XCTAssertEqual(cache.get("a").answer, "1")
    XCTAssertEqual(cache.get("b").outcome?.error as? CacheError, .timedOut())
  }
}
