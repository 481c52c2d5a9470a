import XCTest

@testable import StrataCore
@testable import StrataDisk
@testable import StrataVerbs

/// Tests the disk level with values that carry their creation time and deadline.
final class DiskValueFormatTests: DiskTestCase {
  /// Bytes with their creation time and deadline.
  private struct Dated: Equatable, Sendable {
    var bytes: Data
    var created: Int64
    var deadline: Int64?
  }

  /// The current time of the level's clock. The property `wall` stores the time of the machine's
  /// clock.
  private let clock = Lock<Int64>(5_000)
  private let wall = Lock<Int64>(1_000_000_000_000)

  private var format: DiskValueFormat<Dated> {
    DiskValueFormat(
      value: {
        Dated(
          bytes: $0.value, created: $0.created, deadline: $0.deadline == .max ? nil : $0.deadline)
      },
      record: { dated, _ in
        StoredValue(
          value: dated.bytes, created: dated.created, deadline: dated.deadline ?? .max)
      },
      now: { [clock] in clock.withLock { $0 } })
  }

  private func walled(_ files: FileSystem = .system) -> FileSystem {
    var files = files
    let wall = wall
    files.now = { wall.withLock { $0 } }
    return files
  }

  private func level(
    _ log: SegmentLog,
    later: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void = { $0() }
  ) -> Cache<String, Dated> {
    .disk(log, format: format, plan: .level("log", .storage), later: later)
  }

  private func found(_ cache: Cache<String, Dated>, _ key: String) -> Dated? {
    try? cache.get(key).outcome?.get()
  }

  func testCreationTimeAndDeadlineRoundTrip() {
    let values = [
      "a": Dated(bytes: Data([1]), created: 1_234, deadline: 9_999),
      "b": Dated(bytes: Data(count: 1_000), created: 64_999, deadline: nil),
      "c": Dated(bytes: Data(count: 300_000), created: -7, deadline: .max - 1),
    ]
    let log = log(files: walled())
    for (key, value) in values { _ = level(log).set(key, value) }
    for log in [log, self.log(files: walled())] {
      for (key, value) in values { XCTAssertEqual(found(level(log), key), value, key) }
    }
  }

  /// Expiration depends on the level's clock, not on the machine's clock.
  func testAtItsDeadlineAValueIsAMissAndNotBefore() {
    let log = log(files: walled())
    let cache = level(log)
    _ = cache.set("a", Dated(bytes: Data([1]), created: 0, deadline: 6_500))
    _ = cache.set("early", Dated(bytes: Data([1]), created: 65_001, deadline: nil))
    XCTAssertNil(found(cache, "early"))
    clock.withLock { $0 = 6_499 }
    XCTAssertNotNil(found(cache, "a"))
    for (misses, now) in [Int64(6_500), 6_501, 7_000, 1 << 40].enumerated() {
      clock.withLock { $0 = now }
      XCTAssertNil(found(cache, "a"))
      XCTAssertEqual(log.state.withLock { [$0.counts.hits, $0.counts.misses] }, [1, 2 + misses])
      XCTAssertNil(found(level(self.log(files: walled())), "a"))
    }
    clock.withLock { $0 = 5_001 }
    XCTAssertNotNil(found(cache, "early"))
  }

  /// The index stores deadlines in seconds, rounded up. At the rounded deadline, the index alone
  /// shows that the value has expired, so a get doesn't read the record's header.
  func testAnExpiredRecordIsNotRead() {
    let faulty = FaultyFileSystem()
    let log = log(files: walled(faulty.files))
    let cache = level(log)
    _ = cache.set("a", Dated(bytes: Data([1]), created: 0, deadline: 6_500))
    clock.withLock { $0 = 7_000 }
    let before = faulty.calls.count
    XCTAssertNil(found(cache, "a"))
    XCTAssertEqual(Array(faulty.calls[before...]), ["end"])
    XCTAssertEqual(log.state.withLock { $0.counts.misses }, 1)
  }

  /// A background read compares the value's deadline with the time of the `get` call.
  func testALongValueThatExpiresDuringTheReadIsReturned() {
    let waiting = Lock<[@Sendable () -> Void]>([])
    let cache = level(log(files: walled())) { work in waiting.withLock { $0.append(work) } }
    let value = Dated(bytes: Data(count: 300_000), created: 0, deadline: 6_500)
    _ = cache.set("a", value)
    let promise = cache.get("a")
    clock.withLock { $0 = 7_000 }
    waiting.withLock { $0 }.forEach { $0() }
    XCTAssertEqual(try promise.outcome?.get(), value)
    XCTAssertNil(found(cache, "a"))
  }

  /// After a `set` of an expired value, the key's older value stays hidden.
  func testAnExpiredValueReplacesAValidOne() {
    let log = log(files: walled())
    let cache = level(log)
    _ = cache.set("a", Dated(bytes: Data([1]), created: 0, deadline: nil))
    _ = cache.set("a", Dated(bytes: Data([2]), created: 0, deadline: 4_000))
    for log in [log, self.log(files: walled())] { XCTAssertNil(found(level(log), "a")) }
  }

  func testBothFormatsOfOneDirectoryReadTheSameRecords() throws {
    let log = log(files: walled())
    let plain = Cache.disk(log, format: .bytes, plan: .level("log", .storage))
    _ = level(log).set(
      "a", Dated(bytes: Data([1]), created: 0, deadline: 1_000_000_000_001))
    XCTAssertEqual(try plain.get("a").outcome?.get(), Data([1]))
    wall.withLock { $0 += 1 }
    XCTAssertThrowsError(try plain.get("a").outcome?.get()) { XCTAssertTrue($0.isMiss) }
    _ = plain.set("b", Data([2]))
    clock.withLock { $0 = 1_000_000_000_001 }
    XCTAssertEqual(
      found(level(log), "b"),
      Dated(bytes: Data([2]), created: 1_000_000_000_001, deadline: nil))
  }
}
