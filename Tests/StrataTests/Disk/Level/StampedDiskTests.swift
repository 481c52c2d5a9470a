import Foundation
import XCTest

@testable import StrataCore
@testable import StrataDisk
@testable import StrataVerbs

final class StampedDiskTests: XCTestCase {
  private let (time, clock) = TimeSource.manual()
  private let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
    "strata-stamped-\(UUID().uuidString)")

  override func tearDown() { try? FileManager.default.removeItem(at: folder) }

  private func disk(_ name: String = "level") -> Cache<String, Stamped<String>> {
    .disk(name, in: folder, clock: time, offMainThread: false) <*> .stamped(.utf8)
  }

  func testCreationTimeAndDeadlineRoundTripToTheMillisecond() {
    let disk = disk()
    let born = clock.now.advanced(by: .nanoseconds(-1_234_567))
    for (lifetime, end) in [
      (Duration.seconds(60), Duration.milliseconds(59_998)), (nil, nil),
    ] {
      _ = disk.set("key", Stamped("text", storedAt: born, lasting: lifetime))
      let back = disk.get("key").outcome?.value
      XCTAssertEqual(back?.value, "text")
      XCTAssertEqual(back?.storedAt, clock.now.advanced(by: .milliseconds(-2)))
      if let end { XCTAssertEqual(back?.expiresAt, clock.now.advanced(by: end)) }
      if lifetime == nil { XCTAssertNil(back?.expiresAt) }
    }
  }

  func testASetOfAnExpiredValueWritesNothingAndRemovesTheRecord() throws {
    let disk = disk()
    for end in [Duration.zero, .seconds(-5)] {
      _ = disk.set("key", Stamped("old", storedAt: clock.now))
      _ = disk.set("key", Stamped("secret", storedAt: clock.now, lasting: end))
      XCTAssertEqual(disk.get("key").answer, "not found")
    }
    let names = FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String }
    for name in names ?? [] {
      let bytes = try? Data(contentsOf: folder.appendingPathComponent(name))
      XCTAssertNil(bytes?.range(of: Data("secret".utf8)), name)
    }
  }

  func testARecordPastItsDeadlineOrFromTheFutureIsAMiss() {
    let disk = disk()
    _ = disk.set("key", Stamped("text", storedAt: clock.now, lasting: .seconds(10)))
    clock.advance(by: .milliseconds(9999))
    XCTAssertEqual(disk.get("key").outcome?.value?.value, "text")
    clock.advance(by: .milliseconds(1))
    XCTAssertEqual(disk.get("key").answer, "not found")
    _ = disk.set("future", Stamped("text", storedAt: clock.now.advanced(by: .seconds(62))))
    XCTAssertEqual(disk.get("future").answer, "not found")
  }

  func testPromotionFromDiskKeepsTheAge() {
    let memory: Cache<String, Stamped<String>> = .memory(clock: time)
    let cache = (memory + disk()).clocked(by: time).expiring(after: .seconds(60))
    _ = cache.set("key", "text")
    clock.advance(by: .seconds(30))
    _ = memory.clear()
    XCTAssertEqual(cache.get("key").answer, "text")
    XCTAssertEqual(memory.get("key").outcome?.value, disk().get("key").outcome?.value)
    clock.advance(by: .seconds(30))
    XCTAssertEqual(cache.get("key").answer, "not found")
  }

  func testTheFormatWithoutStampsReadsTheSameRecords() throws {
    let plain: Cache<String, Data> = .disk("level", in: folder, offMainThread: false)
    _ = plain.set("key", Data("plain".utf8))
    let stamped: Cache<String, Stamped<String>> =
      .disk("level", in: folder, offMainThread: false) <*> .stamped(.utf8)
    let value = try XCTUnwrap(stamped.get("key").outcome?.value)
    XCTAssertEqual(value.value, "plain")
    XCTAssertNil(value.expiresAt)
    XCTAssertEqual(value.age(at: TimeSource.system.now()) / .seconds(1), 0, accuracy: 30)
    XCTAssertEqual("\(stamped.plan)", "disk(100 MB, offMainThread: false) <*> stamped(utf8)")
  }

  func testExtremeTimesAreRoundedDownToMilliseconds() {
    let far = TimeSource.Instant(sinceEpoch: .most)
    XCTAssertEqual(far.milliseconds, Int64.max / 1_000_000)
    XCTAssertEqual(
      TimeSource.Instant(sinceEpoch: .most * -1).milliseconds, Int64.min / 1_000_000 - 1)
    XCTAssertEqual(TimeSource.Instant(sinceEpoch: .nanoseconds(-1)).milliseconds, -1)
    XCTAssertEqual(TimeSource.Instant(sinceEpoch: .milliseconds(-1)).milliseconds, -1)
    XCTAssertEqual(TimeSource.Instant(sinceEpoch: .microseconds(1999)).milliseconds, 1)
  }

  /// Another program can write any number into the times of an intact record.
  func testExtremeTimesOfARecordAreBounded() throws {
    let times = [Int64.min, .min + 1, -1, 0, 1, 999, .max - 60_000, .max - 1, .max]
    let storage = DiskStorage("level", in: folder)
    let disk: Cache<String, Stamped<String>> =
      .disk(
        storage, clock: time, offMainThread: false) <*> .stamped(.utf8)
    for created in times {
      for deadline in times {
        let key = "\(created), \(deadline)"
        try storage.log.set(Data("text".utf8), for: key, created: created, deadline: deadline)
        let found = disk.get(key).outcome?.value
        let now = clock.now.milliseconds
        let isValid = deadline > now && created <= now + 60_000
        XCTAssertEqual(found?.value, isValid ? "text" : nil, key)
        XCTAssertEqual(found?.isValid(at: clock.now) ?? false, isValid, key)
        XCTAssertEqual(found.map { $0.age(at: clock.now) >= .seconds(-60) } ?? true, true, key)
      }
    }
  }
}
