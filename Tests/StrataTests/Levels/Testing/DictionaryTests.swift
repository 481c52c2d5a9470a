import StrataLaws
import XCTest

@testable import StrataCore

final class DictionaryTests: XCTestCase {
  func testItContainsItsInitialEntries() {
    let cache: Cache<String, Int> = .dictionary(["a": 1, "b": 2])
    XCTAssertEqual([cache.get("a").answer, cache.get("b").answer], ["1", "2"])
    XCTAssertEqual(cache.get("c").answer, "not found")
    XCTAssertEqual(cache.plan.description, "dictionary")
  }

  func testItEvictsNothing() {
    let cache: Cache<Int, Int> = .dictionary()
    for key in 0..<20_000 { _ = cache.set(key, key) }
    cache.memoryWarning()
    XCTAssertTrue((0..<20_000).allSatisfy { cache.get($0).outcome?.value == $0 })
  }

  func testKeysWithOneHashAreDistinct() {
    let cache: Cache<Colliding, Int> = .dictionary()
    for number in 0..<200 { _ = cache.set(Colliding(number: number), number) }
    _ = cache.remove(Colliding(number: 7))
    XCTAssertEqual(cache.get(Colliding(number: 7)).answer, "not found")
    XCTAssertEqual(cache.get(Colliding(number: 199)).answer, "199")
  }

  func testTheDeinitOfAValueMayUseTheCache() {
    let cache: Cache<Int, Resident> = .dictionary()
    let journal = Journal<String>()
    let resident: @Sendable (Int) -> Resident = { number in
      Resident { [cache] in journal.note("\(number) left, \(cache.get(9).answer)") }
    }
    _ = cache.set(0, resident(0))
    _ = cache.set(0, resident(1))
    _ = cache.remove(0)
    _ = cache.set(0, resident(2))
    _ = cache.clear()
    XCTAssertEqual(
      journal.entries, ["0 left, not found", "1 left, not found", "2 left, not found"])
  }

  private struct Colliding: Hashable, Sendable {
    let number: Int
    func hash(into hasher: inout Hasher) { hasher.combine(0) }
  }

  private final class Resident: Sendable {
    let leave: @Sendable () -> Void
    init(_ leave: @escaping @Sendable () -> Void) { self.leave = leave }
    deinit { leave() }
  }
}
