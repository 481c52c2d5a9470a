import Foundation
import Strata
import XCTest

/// Tests the disk level through its public API.
final class DiskTests: XCTestCase {
  private var directory = URL(fileURLWithPath: "/")

  override func setUpWithError() throws {
    directory = FileManager.default.temporaryDirectory
      .appendingPathComponent("strata-\(UUID().uuidString)", isDirectory: true)
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
  }

  override func tearDown() {
    try? FileManager.default.removeItem(at: directory)
  }

  private func disk(_ name: String = "level", capacity: Int = 1 << 20) -> Cache<String, Data> {
    .disk(name, in: directory, capacity: capacity)
  }

  func testAValueIsThereAfterItWasSetAndOverwrittenByTheNext() async throws {  // T42
    let disk = disk()
    let before = try await disk.findValue(for: "a")
    try await disk.set(Data("one".utf8), for: "a")
    try await disk.set(Data("two".utf8), for: "a")
    let (other, after) = (try await disk.findValue(for: "b"), try await disk.findValue(for: "a"))
    XCTAssertNil(before)
    XCTAssertNil(other)
    XCTAssertEqual(after, Data("two".utf8))
  }

  func testAMemoryWarningDoesNotAffectTheDiskAndAClearEmptiesIt() async throws {  // T44
    let disk = disk()
    try await disk.set(Data("one".utf8), for: "a")
    disk.memoryWarning()
    let warned = try await disk.findValue(for: "a")
    try await disk.removeAll()
    let cleared = try await disk.findValue(for: "a")
    XCTAssertEqual(warned, Data("one".utf8))
    XCTAssertNil(cleared)
  }

  func testRemovingAnAbsentKeySucceeds() async throws {
    try await disk().removeValue(for: "nobody")
  }

  func testTwoCachesOnOneDirectoryShareTheirContentsAndTheirBound() async throws {  // T61
    let (one, other) = (disk(capacity: 20_000), disk(capacity: 20_000))
    for size in [5_000, 10, 9_000, 300, 8_000] {
      try await one.set(Data(count: size), for: "key")
      try await other.set(Data(count: size / 2), for: "key")
      let seen = try await one.value(for: "key")
      XCTAssertEqual(seen.count, size / 2)
    }
  }

  func testCachesWithDifferentValuesInOneDirectoryDoNotAffectEachOther() async throws {  // T61
    let texts = disk() <*> .json() as Cache<String, String>
    let numbers = disk() <*> .json() as Cache<String, Int>
    try await texts.set("four", for: "key")
    do {
      _ = try await numbers.value(for: "key")
      XCTFail("A text should not decode as a number.")
    } catch CacheError.undecodable {}
    let text = try await texts.value(for: "key")
    XCTAssertEqual(text, "four")
  }

  func testAnUnusableDirectoryIsReportedOnceToTheObserver() async throws {
    try Data().write(to: directory.appendingPathComponent("level"))
    let reports = Journal<String>()
    let disk = disk().named("disk").observed { event in
      if event.operation == .unusable { reports.note("\(event.stage): \(event.outcome)") }
    }
    for key in ["a", "b"] {
      let missed = try await disk.findValue(for: key)
      XCTAssertNil(missed)
    }
    XCTAssertEqual(reports.entries.count, 1)
    XCTAssertTrue(reports.entries.first?.hasPrefix("disk: failure") == true, "\(reports.entries)")
  }

  func testADirectoryThatDoesNotExistYetIsNotReported() async throws {
    let reports = Journal<String>()
    let disk = disk("new").named("disk").observed { event in
      if event.operation == .unusable { reports.note("\(event.outcome)") }
    }
    let missed = try await disk.findValue(for: "a")
    XCTAssertNil(missed)
    XCTAssertEqual(reports.entries, [])
    try await disk.set(Data("first".utf8), for: "a")
    let first = try await disk.value(for: "a")
    XCTAssertEqual(first, Data("first".utf8))
  }

  func testALevelWithoutItsDirectoryMissesAndItsWritesFailWithTheReason() async throws {  // T70
    try Data().write(to: directory.appendingPathComponent("level"))
    let disk = disk()
    let missed = try await disk.findValue(for: "a")
    XCTAssertNil(missed)
    do {
      try await disk.set(Data(), for: "a")
      XCTFail("Setting a value should fail, because the directory is a file.")
    } catch let error as DiskError {
      guard case .unavailable = error else { return XCTFail("\(error)") }
      XCTAssertTrue("\(error)".contains("has the name"), "\(error)")
    }
    try FileManager.default.removeItem(at: directory.appendingPathComponent("level"))
    try await disk.set(Data("healed".utf8), for: "a")
    let healed = try await disk.value(for: "a")
    XCTAssertEqual(healed, Data("healed".utf8))
  }

  func testTheLevelBelowAnUnusableDiskAnswers() async throws {  // T70
    try Data().write(to: directory.appendingPathComponent("level"))
    let pipeline = disk() + Fetcher(offMainThread: false) { (key: String) in Data(key.utf8) }
    let value = try await pipeline.value(for: "below")
    XCTAssertEqual(value, Data("below".utf8))
  }

  func testARecordOfAnOlderModelIsAMissAndIsReplaced() async throws {  // T45
    struct Old: Codable, Sendable { var name: String }
    struct New: Codable, Equatable, Sendable { var title: String }
    try await (disk() <*> .json() as Cache<String, Old>).set(Old(name: "old"), for: "a")
    let level: Cache<String, New> = disk() <*> .json()
    let healing = level + Fetcher(offMainThread: false) { (_: String) in New(title: "new") }
    let first = try await healing.value(for: "a")
    let stored = try await level.value(for: "a")
    XCTAssertEqual(first, New(title: "new"))
    XCTAssertEqual(stored, New(title: "new"))
  }

  func testEvictionsAreReported() async throws {
    let events = Journal<String>()
    let disk = disk(capacity: 4_000).named("disk").observed { event in
      if event.operation == .eviction { events.note(event.stage) }
    }
    for key in 0..<10 { try await disk.set(Data(count: 900), for: "\(key)") }
    XCTAssertFalse(events.entries.isEmpty)
    XCTAssertEqual(Set(events.entries), ["disk"])
  }

  func testThePlanNamesTheCapacity() {
    XCTAssertEqual(disk(capacity: 5_000_000).plan.description, "disk(5 MB)")
  }
}
