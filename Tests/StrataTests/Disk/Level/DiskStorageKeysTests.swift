import XCTest

@testable import StrataCore
@testable import StrataDisk
@testable import StrataVerbs

/// Tests listing, checking, and cleaning the directory of a disk level.
final class DiskStorageKeysTests: DiskTestCase {
  private var parent: URL { URL(fileURLWithPath: base, isDirectory: true) }
  private typealias Level = Cache<String, Stamped<Data>>

  private func stamped(_ count: Int, lasting: Duration?, at now: TimeSource.Instant) -> Stamped<
    Data
  > {
    Stamped(Data(count: count), storedAt: now, lasting: lasting)
  }

  func testKeysAreListedWithoutRemovedAndExpiredOnes() throws {
    let storage = DiskStorage("a", in: parent)
    let level = Level.disk(storage, offMainThread: false)
    let now = TimeSource.system.now()
    let long = String(repeating: "long", count: 500)
    for key in ["a", "e\u{301}", "", long, "gone"] {
      _ = level.set(key, stamped(100, lasting: .seconds(600), at: now))
    }
    _ = level.set("plain", stamped(5, lasting: nil, at: now))
    _ = level.remove("gone")
    XCTAssertEqual(try Set(storage.keys()), ["a", "é", "", long, "plain"])
    let entry = try XCTUnwrap(try storage.entries().first { $0.key == "a" })
    XCTAssertEqual(entry.bytes, 100)
    XCTAssertEqual(entry.storedAt.milliseconds, now.milliseconds)
    XCTAssertEqual(entry.expiresAt, entry.storedAt.advanced(by: .seconds(600)))
    XCTAssertNil(try storage.entries().last?.expiresAt)
    XCTAssertEqual(try storage.check().intact, 5)
    XCTAssertEqual(try storage.check().damaged, 0)
  }

  func testAStorageWithoutADirectoryHasNoKeysAndNoDamage() throws {
    let storage = DiskStorage("a", in: parent)
    XCTAssertEqual(try storage.keys(), [])
    XCTAssertEqual(try storage.check(), DiskCheck())
    XCTAssertEqual(names(in: base), [], "Listing creates nothing.")
  }

  func testListingClosesTheFilesOfARemovedDirectory() throws {
    let storage = DiskStorage("store", in: parent)
    try storage.log.set(Data([1]), for: "a")
    XCTAssertEqual(try storage.keys(), ["a"])
    try FileManager.default.removeItem(atPath: folder)
    // The log checks at most once every ten milliseconds whether the directory exists.
    storage.log.state.withLock { $0.checkedAt = .min }
    XCTAssertEqual(try storage.keys(), [])
    XCTAssertEqual(storage.log.state.withLock { $0.takeRetired().count }, 0)
  }

  func testACheckAddsUpTheSizesOfIntactRecords() throws {
    let storage = DiskStorage("a", in: parent)
    let sizes = try ["a", "b"].map { key in
      _ = Cache.disk(storage, offMainThread: false).set(key, Data(count: 500))
      return try storage.check().bytes
    }
    XCTAssertGreaterThan(sizes[0], 500)
    XCTAssertEqual(sizes[1], 2 * sizes[0])
  }

  func testAChangedByteIsFoundByACheck() throws {
    let storage = DiskStorage("a", in: parent)
    for key in 0..<3 {
      _ = Cache.disk(storage, offMainThread: false).set("\(key)", Data(count: 500))
    }
    let name = try XCTUnwrap(names(in: base + "/a").first { $0.hasSuffix(".strata2") })
    let file = try FileHandle(forUpdating: URL(fileURLWithPath: base + "/a/" + name))
    try file.seek(toOffset: 72 + 64 + 200)
    try file.write(contentsOf: Data([1]))
    try file.close()
    XCTAssertEqual(try storage.check().damaged, 1)
    XCTAssertEqual(try storage.check().intact, 2)
  }

  func testRemovingExpiredValuesKeepsValuesThatNobodyHasRead() throws {
    let now = Lock(TimeSource.system.now().milliseconds)
    var files = FileSystem.system
    files.now = { now.withLock { $0 } }
    let log = log(capacity: 1 << 20, files: files)
    let start = now.withLock { $0 }
    for key in 0..<2_000 {
      let deadline = key.isMultiple(of: 4) ? Int64.max : start + 60_000
      try log.set(Data(count: 200), for: "\(key)", deadline: deadline)
    }
    now.withLock { $0 += 120_000 }
    XCTAssertEqual(try log.removeExpired(), 1_500)
    XCTAssertEqual((0..<2_000).count { log.value("\($0)") != nil }, 500)
  }

  func testRemovingExpiredValuesChangesNoGet() throws {
    let now = Lock(TimeSource.system.now().milliseconds)
    var files = FileSystem.system
    files.now = { now.withLock { $0 } }
    let log = log(capacity: 1 << 20, files: files)
    let start = now.withLock { $0 }
    for key in 0..<2_000 {
      let deadline = key.isMultiple(of: 4) ? Int64.max : start + 60_000
      try log.set(Data(count: 200), for: "\(key)", deadline: deadline)
    }
    now.withLock { $0 += 120_000 }
    let before = (0..<2_000).filter { log.value("\($0)") != nil }
    XCTAssertEqual(before.count, 500)
    let bytes = log.state.withLock { $0.usedBytes }
    XCTAssertEqual(try log.removeExpired(), 1_500)
    XCTAssertEqual((0..<2_000).filter { log.value("\($0)") != nil }, before)
    XCTAssertEqual(log.state.withLock { $0.index.live }, 500)
    XCTAssertLessThan(log.state.withLock { $0.usedBytes }, bytes / 2)
    XCTAssertEqual(try log.removeExpired(), 0)
    let other = self.log(capacity: 1 << 20, files: files)
    XCTAssertEqual((0..<2_000).filter { other.value("\($0)") != nil }, before)
  }
}
