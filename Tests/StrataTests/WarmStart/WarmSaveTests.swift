import Foundation
import XCTest

@testable import StrataCore
@testable import StrataVerbs

/// Tests saving and loading a memory level.
final class WarmSaveTests: XCTestCase {
  private func filled(_ count: Int) -> MemoryStorage<Int, String> {
    let storage = MemoryStorage<Int, String>(capacity: .count(count))
    for key in 0..<count { _ = Cache.memory(storage).set(key, "value \(key)") }
    return storage
  }

  func testAllValuesComeBackInALaterRun() async throws {
    let bytes = Cache<String, Data>.dictionary()
    let saved = try await filled(10_000).save(into: bytes, keys: .json(), values: .utf8)
    XCTAssertEqual([saved.values, saved.skipped], [10_000, 0])
    XCTAssertTrue(saved.isComplete)
    let storage = MemoryStorage<Int, String>(capacity: 10_000)
    let loaded = try await storage.load(from: bytes, keys: .json(), values: .utf8)
    XCTAssertEqual(loaded, saved)
    XCTAssertEqual(Set(storage.keys), Set(0..<10_000))
    XCTAssertEqual(storage.peek(77), "value 77")
  }

  func testTheHottestValuesAreSavedFirstAndEvictedLast() async throws {
    // With so few keys, the estimated frequencies are exact.
    let storage = filled(100)
    for _ in 0..<3 { for key in 50..<60 { _ = Cache.memory(storage).get(key) } }
    let bytes = Cache<String, Data>.dictionary()
    let saved = try await storage.save(into: bytes, keys: .json(), values: .utf8, bytes: 10 * 34)
    XCTAssertEqual(saved.values, 10)
    XCTAssertFalse(saved.isComplete)
    let small = MemoryStorage<Int, String>(capacity: 100)
    _ = try await small.load(from: bytes, keys: .json(), values: .utf8)
    XCTAssertEqual(Set(small.keys), Set(50..<60))
  }

  func testAFullLevelEvictsNothingForALoad() async throws {
    let bytes = Cache<String, Data>.dictionary()
    _ = try await filled(1_000).save(into: bytes, keys: .json(), values: .utf8)
    let storage = MemoryStorage<Int, String>(capacity: 10)
    let level = Cache.memory(storage)
    for key in 2_000..<2_008 { _ = level.set(key, "new") }
    let loaded = try await storage.load(from: bytes, keys: .json(), values: .utf8)
    XCTAssertEqual(loaded.values, 2)
    XCTAssertFalse(loaded.isComplete)
    for key in 2_000..<2_008 { XCTAssertEqual(storage.peek(key), "new") }
  }

  func testASecondSaveReplacesTheFirstAndRemovesItsPages() async throws {
    let count = Journal<String>()
    let dictionary = Cache<String, Data>.dictionary()
    let bytes = Cache<String, Data>(
      as: .memory, keepsOrder: true, get: dictionary.get, set: dictionary.set,
      remove: { key in
        count.note(key)
        return dictionary.remove(key)
      })
    for size in [20_000, 10, 5] {
      _ = try await filled(size).save(into: bytes, keys: .json(), values: .utf8)
    }
    XCTAssertEqual(count.entries.last, "memory/1/0")
    let storage = MemoryStorage<Int, String>()
    let loaded = try await storage.load(from: bytes, keys: .json(), values: .utf8)
    XCTAssertEqual(loaded.values, 5)
  }

  func testADamagedPageIsSkippedAndADamagedIndexIsNoSave() async throws {
    let bytes = Cache<String, Data>.dictionary()
    let saved = try await filled(5_000).save(into: bytes, keys: .json(), values: .utf8)
    var page = try await bytes.value(for: "memory/0/1")
    page[page.count / 2] ^= 1
    try await bytes.set(page, for: "memory/0/1")
    let storage = MemoryStorage<Int, String>(capacity: 5_000)
    let loaded = try await storage.load(from: bytes, keys: .json(), values: .utf8)
    XCTAssertFalse(loaded.isComplete)
    XCTAssertLessThan(loaded.values, saved.values)
    XCTAssertGreaterThan(loaded.values, 1_000)
    try await bytes.set(Data("hello".utf8), for: "memory")
    let nothing = try await MemoryStorage<Int, String>().load(
      from: bytes, keys: .json(), values: .utf8)
    XCTAssertEqual(nothing.values, 0)
    XCTAssertFalse(nothing.isComplete)
    let absent = try await MemoryStorage<Int, String>().load(
      from: .dictionary(), keys: .json(), values: .utf8)
    XCTAssertTrue(absent.isComplete)
  }

  func testAFailedSaveLeavesTheEarlierOneValid() async throws {
    struct Full: Error {}
    let dictionary = Cache<String, Data>.dictionary()
    _ = try await filled(10).save(into: dictionary, keys: .json(), values: .utf8)
    let full = Cache<String, Data>(
      as: .memory, keepsOrder: true, get: dictionary.get,
      set: { key, value in
        key.hasSuffix("/1") ? Promise(error: Full()) : dictionary.set(key, value)
      }, remove: dictionary.remove)
    do {
      _ = try await filled(20_000).save(into: full, keys: .json(), values: .utf8)
      XCTFail("saved")
    } catch { XCTAssertTrue(error is Full) }
    let storage = MemoryStorage<Int, String>()
    let loaded = try await storage.load(from: dictionary, keys: .json(), values: .utf8)
    XCTAssertEqual(loaded.values, 10)
  }

  func testASaveThatTheCacheDoesNotKeepFails() async throws {
    let fetcher = Fetcher<String, Data> { _ in .miss }
    for cache in [fetcher, .memory(capacity: 2), .memory(capacity: 1)] {
      do {
        _ = try await filled(20_000).save(into: cache, keys: .json(), values: .utf8)
        XCTFail("saved")
      } catch {
        let error = try XCTUnwrap(error as? IncompleteSave)
        XCTAssertGreaterThan(error.lost, 0)
        XCTAssertGreaterThanOrEqual(error.pages, error.lost)
        XCTAssertTrue("\(error)".contains("more room"), "\(error)")
      }
    }
  }

  func testASaveForWhichTheCacheIsTooSmallLeavesTheEarlierOne() async throws {
    let dictionary = Cache<String, Data>.dictionary()
    _ = try await filled(10).save(into: dictionary, keys: .json(), values: .utf8)
    let forgetful = Cache<String, Data>(
      as: .memory, keepsOrder: true, get: dictionary.get,
      set: { key, value in
        key.hasSuffix("/1") ? Promise() : dictionary.set(key, value)
      }, remove: dictionary.remove)
    do {
      _ = try await filled(20_000).save(into: forgetful, keys: .json(), values: .utf8)
      XCTFail("saved")
    } catch { XCTAssertEqual((error as? IncompleteSave)?.lost, 1) }
    let storage = MemoryStorage<Int, String>()
    let loaded = try await storage.load(from: dictionary, keys: .json(), values: .utf8)
    XCTAssertEqual(loaded.values, 10)
    XCTAssertTrue(loaded.isComplete)
  }

  func testASaveIsValidEvenIfItsOldPagesCannotBeRemoved() async throws {
    struct Stuck: Error {}
    let dictionary = Cache<String, Data>.dictionary()
    _ = try await filled(10).save(into: dictionary, keys: .json(), values: .utf8)
    let stuck = Cache<String, Data>(
      as: .memory, keepsOrder: true, get: dictionary.get, set: dictionary.set,
      remove: { _ in Promise(error: Stuck()) })
    let saved = try await filled(20).save(into: stuck, keys: .json(), values: .utf8)
    XCTAssertEqual(saved.values, 20)
    let storage = MemoryStorage<Int, String>()
    let loaded = try await storage.load(from: dictionary, keys: .json(), values: .utf8)
    XCTAssertEqual(loaded.values, 20)
  }

  func testExpiredValuesAndAWrongTimeAreSkipped() async throws {
    let (clock, time) = TimeSource.manual()
    let bytes = Cache<String, Data>.dictionary()
    let storage = MemoryStorage<Int, Stamped<String>>(clock: clock)
    for key in 0..<10 {
      let life: Duration = .seconds(key < 5 ? 60 : 600)
      _ = Cache.memory(storage).set(key, Stamped("a", storedAt: clock.now(), lasting: life))
    }
    _ = try await storage.save(into: bytes, keys: .json(), values: .stamped(.utf8))
    time.advance(by: .seconds(100))
    let later = MemoryStorage<Int, Stamped<String>>(clock: clock)
    let loaded = try await later.load(from: bytes, keys: .json(), values: .stamped(.utf8))
    XCTAssertEqual([loaded.values, loaded.skipped], [5, 5])
    let none = try await later.save(
      into: bytes, keys: .json(), values: .stamped(.utf8), within: .zero)
    XCTAssertEqual(none.values, 0)
    XCTAssertFalse(none.isComplete)
  }

  /// A page's bytes are checked before they are used.
  func testNoBytesAreAPageThatWasNotSaved() {
    var page = WarmPage(save: 5)
    page.append(Data("k".utf8), Stamped(Data("v".utf8), storedAt: .init(nanoseconds: 7)))
    let bytes = page.sealed
    XCTAssertEqual(WarmPage.records(of: bytes, savedBy: 5)?.first?.value.storedAt.nanoseconds, 7)
    XCTAssertNil(WarmPage.records(of: bytes, savedBy: 6))
    for length in 0..<bytes.count {
      XCTAssertNil(WarmPage.records(of: bytes.prefix(length), savedBy: 5))
    }
    let index = WarmIndex(save: 9, slot: 1, pages: 3)
    XCTAssertEqual(WarmIndex(index.bytes), index)
    for position in 0..<40 {
      var wrong = index.bytes
      wrong[position] ^= 1
      XCTAssertNil(WarmIndex(wrong))
    }
  }
}
