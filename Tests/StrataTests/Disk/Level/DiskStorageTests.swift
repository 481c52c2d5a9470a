import XCTest

@testable import StrataCore
@testable import StrataDisk
@testable import StrataVerbs

/// Tests the storage of disk levels, which several levels can share.
final class DiskStorageTests: DiskTestCase {
  private var parent: URL { URL(fileURLWithPath: base, isDirectory: true) }

  func testShortAndLongValuesRoundTripAndCanBeRemoved() async throws {
    let cache = Cache.disk("a", in: parent)
    // The level reads a value in one of several ways, depending on the value's length. The lengths
    // below cover each way of reading.
    for length in [0, 1, 455, 456, 1_000, 4_031, 4_032, 100_000, 300_000, 3_000_000] {
      let value = Stamp(key: "k", version: length).value(length: length)
      try await cache.set(value, for: "k")
      let found = try await cache.value(for: "k")
      XCTAssertEqual(found, value)
    }
    try await cache.remove("k").value
    let found = try await cache.findValue(for: "k")
    XCTAssertNil(found)
  }

  /// A record of up to 256 KiB is read on the caller's thread. A record over 256 KiB is read in the
  /// background, without waiting for other long records.
  func testShortValuesAreReadSynchronouslyAndLongOnesInTheBackground() throws {
    let waiting = Lock<[@Sendable () -> Void]>([])
    let cache = Cache.disk(
      log(capacity: 64 << 20), format: .bytes, plan: .level("log", .storage),
      later: { work in waiting.withLock { $0.append(work) } })
    let longest = 256 << 10
    let key = "k"
    for length in [0, 1_000, longest - 73] {
      cache.set(key, Data(count: length)).onFailure { XCTFail("\($0)") }
      XCTAssertEqual(try cache.get(key).outcome?.get().count, length)
    }
    XCTAssertEqual(waiting.withLock { $0.count }, 0)
    cache.set(key, Data(count: longest - 72)).onFailure { XCTFail("\($0)") }
    let (one, other, cancelled) = (cache.get(key), cache.get(key), cache.get(key))
    XCTAssertNil(one.outcome)
    XCTAssertEqual(waiting.withLock { $0.count }, 3)
    cancelled.cancel()
    // The background work of the second read finishes first.
    let work = waiting.withLock { $0 }
    work[1]()
    XCTAssertEqual(try other.outcome?.get().count, longest - 72)
    XCTAssertNil(one.outcome)
    work[0]()
    work[2]()
    XCTAssertEqual(try one.outcome?.get().count, longest - 72)
    guard case .cancelled? = cancelled.outcome else { return XCTFail("a cancelled read ran") }
  }

  /// A get returns the value at the time of the call, even if a `clear` completes during the get.
  func testALongValueIsTheOneStoredAtTheTimeOfTheCall() async throws {
    let cache = Cache.disk("a", in: parent)
    let value = Stamp(key: "k", version: 1).value(length: 2_000_000)
    try await cache.set(value, for: "k")
    let promise = cache.get("k")
    try await cache.clear().value
    let found = try await promise.value
    XCTAssertEqual(found, value)
    XCTAssertThrowsError(try cache.get("k").outcome?.get()) { XCTAssertTrue($0.isMiss) }
  }

  func testTwoCachesOfOneDirectoryShareTheirContents() throws {
    let one = Cache.disk("a", in: parent, offMainThread: false)
    let other = Cache.disk("a", in: parent, offMainThread: false)
    _ = one.set("k", Data([1]))
    XCTAssertEqual(try other.get("k").outcome?.get(), Data([1]))
    let elsewhere = Cache.disk("b", in: parent, offMainThread: false)
    XCTAssertThrowsError(try elsewhere.get("k").outcome?.get()) { XCTAssertTrue($0.isMiss) }
  }

  func testStatisticsReportTheContentsAndTheOperations() throws {
    let storage = DiskStorage("a", in: parent, capacity: 1 << 20)
    let cache = Cache.disk(storage, offMainThread: false)
    XCTAssertEqual(storage.statistics.records, 0)
    for number in 0..<100 { _ = cache.set("\(number)", Data(count: 1_000)) }
    _ = cache.get("1")
    _ = cache.get("nothing")
    let found = storage.statistics
    XCTAssertEqual([found.records, found.hits, found.misses, found.evictions], [100, 1, 1, 0])
    XCTAssertGreaterThan(found.bytes, 106_000)
    XCTAssertLessThan(found.bytes, 113_000)
    XCTAssertEqual(found.segments, 2)
    XCTAssertEqual(found.writeAmplification, 1.02, accuracy: 0.02)
    XCTAssertEqual(cache.plan.description, "disk(1 MiB, offMainThread: false)")
  }

  func testANewStorageHasNoWriteAmplificationAndItsBytesAreThoseOfItsFiles() throws {
    let storage = DiskStorage("store", in: parent)
    let empty = DiskStatistics(
      bytes: 0, records: 0, segments: 0, hits: 0, misses: 0, evictions: 0, writeAmplification: 0)
    XCTAssertEqual(storage.statistics, empty)
    _ = Cache.disk(storage, offMainThread: false).set("a", Data(count: 10))
    XCTAssertEqual(storage.statistics.bytes, usedBytes())
  }

  /// The statistics read the directory. If another program has removed the directory, the
  /// statistics describe an empty storage, and the storage closes the removed files.
  func testTheStatisticsOfARemovedDirectoryAreEmptyAndCloseItsFiles() throws {
    let storage = DiskStorage("store", in: parent)
    try storage.log.set(Data([1]), for: "a")
    XCTAssertEqual(storage.statistics.segments, 1)
    try FileManager.default.removeItem(atPath: folder)
    // The log checks at most once every ten milliseconds whether the directory exists.
    storage.log.state.withLock { $0.checkedAt = .min }
    let found = storage.statistics
    XCTAssertEqual([found.bytes, found.records, found.segments], [0, 0, 0])
    XCTAssertEqual(storage.log.state.withLock { $0.takeRetired().count }, 0)
  }

  func testAKeyCountsWithItsStoredSize() {
    let storage = DiskStorage("a", in: parent)
    _ = Cache.disk(storage, offMainThread: false)
      .set(String(repeating: "e\u{301}", count: 100), Data())
    XCTAssertEqual(storage.statistics.writeAmplification, 1)
  }

  func testTheCapacityOfAStorageChangesForAllItsCaches() throws {
    let storage = DiskStorage("a", in: parent, capacity: 2_000_000)
    let cache = Cache.disk("a", in: parent, capacity: 1_000_000, offMainThread: false)
    for number in 0..<1_000 { _ = cache.set("\(number)", Data(count: 1_000)) }
    XCTAssertEqual(storage.capacity, 2_000_000)
    try storage.setCapacity(200_000)
    XCTAssertEqual(storage.capacity, 200_000)
    XCTAssertLessThanOrEqual(storage.statistics.bytes, 200_000)
    XCTAssertEqual(storage.statistics.bytes, Self.usedBytes(in: base + "/a"))
    // After a call to `setCapacity`, only another call changes the capacity.
    _ = DiskStorage("a", in: parent, capacity: 3_000_000)
    XCTAssertEqual(storage.capacity, 200_000)
  }

  func testAThreadThatLooksAtTheStorageHarmsNoOther() throws {
    let parent = parent
    let storage = DiskStorage("a", in: parent, isSingleProcess: true)
    let cache = Cache.disk(storage, offMainThread: false)
    DispatchQueue.concurrentPerform(iterations: 2) { thread in
      for number in 0..<500 where thread == 0 {
        _ = cache.set("\(number)", Data(count: 100))
        _ = cache.get("\(number)")
      }
      for number in 0..<200 where thread == 1 {
        _ = DiskStorage("a", in: parent, isSingleProcess: true)
        _ = (storage.capacity, storage.statistics, storage.log.gauges)
        if number % 10 == 0 { _ = (try? storage.keys(), try? storage.removeExpired()) }
        try? storage.setCapacity(100_000_000)
      }
    }
    XCTAssertEqual(storage.statistics.hits, 500)
    for number in 0..<500 { XCTAssertEqual(cache.get("\(number)").outcome?.value?.count, 100) }
    XCTAssertEqual(storage.statistics.records, 500)
  }

  func testEvictionsAreReported() throws {
    let events = Lock(0)
    let storage = DiskStorage("a", in: parent, capacity: 200_000)
    let cache = Cache.disk(storage, offMainThread: false).observed {
      event in
      if case .eviction = event.operation { events.withLock { $0 += 1 } }
    }
    for number in 0..<1_000 { _ = cache.set("\(number)", Data(count: 1_000)) }
    XCTAssertGreaterThan(events.withLock { $0 }, 500)
  }
}
