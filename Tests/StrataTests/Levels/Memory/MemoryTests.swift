import Synchronization
import XCTest

@testable import StrataCore
@testable import StrataVerbs

final class MemoryTests: XCTestCase {
  func testAStoredValueIsFoundAndALaterSetReplacesIt() {  // T42
    let cache: Cache<String, Int> = .memory()
    XCTAssertEqual(cache.get("a").answer, "not found")
    _ = cache.set("a", 1)
    XCTAssertEqual(cache.get("a").answer, "1")
    XCTAssertEqual(cache.get("b").answer, "not found")
    _ = cache.set("a", 2)
    XCTAssertEqual(cache.get("a").answer, "2")
  }

  func testACopySharesTheStoreAndAnotherCallDoesNot() {
    let cache: Cache<Int, Int> = .memory()
    let (copy, other) = (cache, Cache<Int, Int>.memory())
    _ = cache.set(0, 1)
    XCTAssertEqual([copy.get(0).answer, other.get(0).answer], ["1", "not found"])
  }

  func testAboveTheCapacityAnOlderValueIsEvicted() {  // T43
    let cache: Cache<Int, Int> = .memory(capacity: 3)
    for key in 0..<4 { _ = cache.set(key, key) }
    let held = (0..<4).filter { cache.get($0).outcome?.value == $0 }
    XCTAssertEqual(held.count, 3)
    XCTAssertTrue(held.contains(3))
  }

  func testAValueThatIsReadOutlivesAScan() {
    let cache: Cache<Int, Int> = .memory(capacity: 10)
    _ = cache.set(0, 0)
    for key in 1...30 {
      _ = cache.set(key, key)
      XCTAssertEqual(cache.get(0).answer, "0")
    }
  }

  /// The key type has a custom `==`. The test reads one key with a unique hash, and two keys that
  /// have the same hash.
  func testAValueThatIsReadOutlivesAScanWhateverTheKey() {
    let cache: Cache<Paired, Int> = .memory(capacity: 10)
    let read = [Paired(0), Paired(1, of: 100), Paired(2, of: 100)]
    for key in read { _ = cache.set(key, key.number) }
    for number in 3...50 {
      _ = cache.set(Paired(number), number)
      for key in read { XCTAssertEqual(cache.get(key).answer, "\(key.number)") }
    }
  }

  /// The test never reads the value of key 0. Only repeated replacements keep this value in the
  /// level.
  func testAValueThatIsReplacedOutlivesAScan() {
    func causes<Key: Hashable & Sendable>(
      capacity: MemoryCapacity<Int>, _ key: @escaping @Sendable (Int) -> Key
    ) -> Set<EvictionCause> {
      let causes = Journal<EvictionCause>()
      let cache: Cache<Key, Int> = .memory(capacity: capacity) { evicted, _, cause in
        if evicted == key(0) { causes.note(cause) }
      }
      for number in 0...50 {
        _ = cache.set(key(0), number)
        for other in 1...3 { _ = cache.set(key(3 * number + other), number) }
      }
      return Set(causes.entries)
    }
    XCTAssertEqual(causes(capacity: 10) { $0 }, [.replaced])
    XCTAssertEqual(causes(capacity: 10) { Paired($0) }, [.replaced])
    XCTAssertEqual(causes(capacity: .cost(20) { 1 + $0 % 2 }, { $0 }), [.replaced])
  }

  func testAClearAWarningAndARemoveReleaseValues() {  // T46
    let cache: Cache<Int, Int> = .memory()
    _ = cache.set(0, 1)
    cache.memoryWarning()
    XCTAssertEqual(cache.get(0).answer, "not found")
    _ = cache.set(0, 1)
    _ = cache.clear()
    XCTAssertEqual(cache.get(0).answer, "not found")
    _ = cache.set(0, 1)
    XCTAssertEqual(cache.remove(0).answer, "()")
    XCTAssertEqual(cache.get(0).answer, "not found")
    XCTAssertEqual(cache.remove(0).answer, "()")
  }

  func testAWarningTrimsOrIsIgnored() {
    func held(after response: MemoryWarningResponse) -> Int {
      let cache: Cache<Int, Int> = .memory(capacity: 10, onMemoryWarning: response)
      for key in 0..<10 { _ = cache.set(key, key) }
      cache.memoryWarning()
      return (0..<10).filter { cache.get($0).outcome?.value != nil }.count
    }
    XCTAssertEqual(held(after: .clear), 0)
    XCTAssertEqual(held(after: .ignore), 10)
    XCTAssertEqual(held(after: .trim(to: 0.3)), 3)
    XCTAssertEqual(held(after: .trim(to: -1)), 0)
    XCTAssertEqual(held(after: .trim(to: 2)), 10)
    XCTAssertEqual(held(after: .trim(to: .nan)), 0)
  }

  func testAFullTrimOfAnUnboundedLevelEvictsNothing() {
    let cache: Cache<Int, Int> = .memory(capacity: .count(.max), onMemoryWarning: .trim(to: 1))
    _ = cache.set(0, 1)
    cache.memoryWarning()
    XCTAssertEqual(cache.get(0).answer, "1")
  }

  func testAValueThatIsTooHeavyIsNotStoredAndRemovesTheOldValue() {
    let cache: Cache<Int, String> = .memory(capacity: .bytes(10))
    _ = cache.set(0, "light")
    _ = cache.set(0, "far too heavy")
    XCTAssertEqual(cache.get(0).answer, "not found")
    _ = cache.set(0, "ten bytes!")
    XCTAssertEqual(cache.get(0).answer, "ten bytes!")
  }

  func testWithoutCapacityNothingIsStored() {
    for capacity in [0, -5] {
      let cache: Cache<Int, Int> = .memory(capacity: .count(capacity))
      XCTAssertEqual(cache.set(0, 1).answer, "()")
      XCTAssertEqual(cache.get(0).answer, "not found")
    }
  }

  func testACostBelowOneCountsAsOneSoTheCountIsAlsoBounded() {
    let cache: Cache<Int, Int> = .memory(capacity: .cost(10) { $0 })
    for key in 0..<100 { _ = cache.set(key, key.isMultiple(of: 2) ? .min : 0) }
    XCTAssertEqual((0..<100).filter { cache.get($0).outcome?.value != nil }.count, 10)
    _ = cache.set(0, .max)
    XCTAssertEqual(cache.get(0).answer, "not found")
  }

  func testSimilarKeysAreDistinct() {  // T62
    let long = String(repeating: "k", count: 300)
    let keys = ["a/bc", "ab/c", "abc", "ABC", long + "1", long + "2", "", " ", ".", "..", "a\0b"]
    let cache: Cache<String, Int> = .memory()
    for (value, key) in keys.enumerated() { _ = cache.set(key, value) }
    XCTAssertEqual(keys.map { cache.get($0).answer }, keys.indices.map { "\($0)" })
  }

  func testNormalFormsOfOneTextAreOneKey() {  // T62
    let cache: Cache<String, Int> = .memory()
    _ = cache.set("caf\u{e9}", 1)
    XCTAssertEqual(cache.get("cafe\u{301}").answer, "1")
    _ = cache.set("cafe\u{301}", 2)
    XCTAssertEqual(cache.get("caf\u{e9}").answer, "2")
    _ = cache.remove("cafe\u{301}")
    XCTAssertEqual(cache.get("caf\u{e9}").answer, "not found")
  }

  func testACollisionOfHashesIsAMissAndNeverAnotherKeysValue() {  // T62
    let cache: Cache<Colliding, Int> = .memory()
    _ = cache.set(Colliding(1), 1)
    XCTAssertEqual(cache.get(Colliding(2)).answer, "not found")
    _ = cache.set(Colliding(2), 2)
    _ = cache.remove(Colliding(1))
    XCTAssertEqual(cache.get(Colliding(1)).answer, "not found")
    XCTAssertEqual(cache.get(Colliding(2)).answer, "2")
  }

  func testKeysOfOneHashByTheThousandTakeFewComparisons() {
    let before = Colliding.comparisons.load(ordering: .relaxed)
    let count = Extent.rounds(3_000, full: 10_000)
    let cache: Cache<Colliding, Int> = .memory(capacity: .count(count))
    for key in 0..<count { _ = cache.set(Colliding(key), key) }
    XCTAssertEqual(cache.get(Colliding(count - 1)).answer, "\(count - 1)")
    XCTAssertEqual(cache.get(Colliding(0)).answer, "0")
    XCTAssertLessThanOrEqual(
      Colliding.comparisons.load(ordering: .relaxed) - before, (count + 2) * 3 * 64)
  }

  func testAMillionDistinctKeysStayWithinTheDefaultBound() {  // T69
    let store = MemoryStore<Int, Int>(capacity: 1000, cost: { _ in 1 })
    let cache: Cache<Int, Int> = .memory()
    let count = Extent.rounds(50_000, full: 1_000_000)
    for key in 0..<count {
      _ = cache.set(key, key)
      store.set(key, for: key)
    }
    XCTAssertEqual(store.total, 1000)
    XCTAssertEqual(cache.plan.description, "memory(1000)")
    XCTAssertEqual((0..<count).filter { cache.get($0).outcome?.value == $0 }.count, 1000)
  }

  func testTheDefaultBoundOfACostIsInBytes() {
    XCTAssertEqual(
      Cache<Int, String>.memory(capacity: .bytes(64 << 20)).plan.description, "memory(64 MiB)")
  }
}

/// A key type whose keys all have the same hash.
struct Colliding: Hashable, Sendable {
  static let comparisons = Atomic(0)
  let number: Int
  init(_ number: Int) { self.number = number }
  static func == (one: Colliding, other: Colliding) -> Bool {
    comparisons.add(1, ordering: .relaxed)
    return one.number == other.number
  }
  func hash(into hasher: inout Hasher) { hasher.combine(0) }
}

/// A key type with a custom `==`. The hash of a key is its group.
private struct Paired: Hashable, Sendable {
  let (number, group): (Int, Int)
  init(_ number: Int, of group: Int? = nil) {
    (self.number, self.group) = (number, group ?? number)
  }
  static func == (one: Paired, other: Paired) -> Bool { one.number == other.number }
  func hash(into hasher: inout Hasher) { hasher.combine(group) }
}
