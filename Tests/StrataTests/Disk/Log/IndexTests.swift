import StrataLaws
import XCTest

@testable import StrataCore
@testable import StrataDisk
@testable import StrataVerbs

/// Tests how the index interprets the records of a log. The tests use no files.
final class IndexTests: XCTestCase {
  private var index = Index()
  private var book = 0
  private var place = 0

  override func setUp() {
    index = Index()
    place = 0
    add(10)
  }

  private func add(_ number: UInt64) {
    book = index.add(Self.segment(number))
    place = 0
  }

  /// Returns a segment whose file is never read.
  static func segment(_ id: UInt64) -> Segment {
    var files = FileSystem.system
    files.open = { _, _, _ in -1 }
    files.close = { _ in }
    files.status = { _ in FileStatus(stat()) }
    return try! Segment(id, in: OpenFile("", .directory, files))
  }

  @discardableResult
  private func apply(_ kind: RecordHeader.Kind, _ hash: UInt64 = 0, mark: UInt64 = 0) -> Int {
    let header = PendingRecord(kind, hash: hash, created: 0, mark: mark).header
    defer { place += header.total }
    index.apply(header, at: place, in: book)
    return place
  }

  /// Returns the offset of a hash's value, or `nil` if the hash has no value.
  private func value(_ hash: UInt64) -> Int? {
    guard let found = index.find(hash), !index.entry(found).isRemoved else { return nil }
    return Int(index.entry(found).offset)
  }

  func testTheNewestRecordOfAHashCounts() {
    apply(.set, 1)
    let second = apply(.set, 1)
    XCTAssertEqual(value(1), second)
    apply(.remove, 1)
    XCTAssertNil(value(1))
    XCTAssertEqual(index.live, 0)
    let third = apply(.set, 1)
    XCTAssertEqual(value(1), third)
    apply(.clear)
    XCTAssertNil(value(1))
    XCTAssertEqual(index.live, 0)
  }

  func testACopyCountsOnlyIfTheKeyWasNotWrittenAfterItsMark() {
    for kind in [RecordHeader.Kind.set, .remove, .copy] {
      setUp()
      apply(.set, 1)
      let mark = UInt64(place)
      let copy = apply(.copy, 1, mark: mark)
      XCTAssertEqual(value(1), copy)
      let written = apply(kind, 1, mark: UInt64(place))
      apply(.copy, 1, mark: mark)
      XCTAssertEqual(value(1), kind == .remove ? nil : written, "\(kind)")
    }
  }

  func testACopyCountsOnlyIfNoClearFollowedItsMark() {
    let mark = UInt64(place)
    apply(.clear)
    apply(.copy, 1, mark: mark)
    XCTAssertNil(value(1))
    let copy = apply(.copy, 1, mark: UInt64(place))
    XCTAssertEqual(value(1), copy)
    add(11)
    // The `clear` is in the previous segment, so it precedes every mark in the new segment.
    let other = apply(.copy, 2, mark: 0)
    XCTAssertEqual(value(2), other)
  }

  func testAForgottenSegmentTakesItsRemovesWithIt() {
    apply(.set, 1)
    apply(.remove, 2)
    apply(.set, 3)
    let first = book
    add(11)
    let second = apply(.set, 3)
    XCTAssertEqual(index.forget(2, in: first).more, true)
    XCTAssertEqual(index.forget(2, in: first).more, false)
    XCTAssertNotNil(index.remove(first))
    XCTAssertNil(index.find(1))
    XCTAssertNil(index.find(2))
    XCTAssertEqual(value(3), second)
    XCTAssertEqual(index.live, 1)
  }

  func testARecordWithoutAnEntryHidesTheOlderValue() {
    apply(.set, 1)
    place = Int(UInt32.max) - 10
    let beyond = apply(.set, 1)
    XCTAssertGreaterThan(beyond + RecordHeader.overhead, Int(UInt32.max))
    XCTAssertNotEqual(value(1), 0)
  }

  /// Compares the index's table with a dictionary. The test uses only 3,000 different hashes, so
  /// many operations replace or remove an existing entry.
  func testTheTableAgreesWithADictionary() {
    var random = SeededGenerator(seed: 21)
    var table = Table()
    var model: [UInt64: Int] = [:]
    var hashes: [Int: UInt64] = [:]
    for entry in 0..<60_000 {
      let hash = UInt64.random(in: 0..<3_000, using: &random)
      let slot = table.slot(of: hash) { hashes[$0.entry] == hash }
      XCTAssertEqual(slot.map { table[$0].entry }, model[hash])
      switch (slot, Bool.random(using: &random)) {
      case (let slot?, true):
        XCTAssertTrue(table.remove(table[slot], of: hash))
        model[hash] = nil
      case (let slot?, false):
        table[slot] = Table.Reference(segment: entry % 255, entry: entry)
        (model[hash], hashes[entry]) = (entry, hash)
      case (nil, _):
        hashes[entry] = hash
        table.insert(Table.Reference(segment: entry % 255, entry: entry), hash: hash)
        model[hash] = entry
      }
      XCTAssertEqual(table.count, model.count)
    }
    let last = Table.Reference(segment: 254, entry: Table.mostEntries - 1)
    var one = Table()
    one.insert(last, hash: 5)
    XCTAssertEqual(one.slot(of: 5) { $0 == last }.map { one[$0] }, last)
  }

  func testAnEntrySurvivesItsTable() throws {
    for (deadline, seconds) in [
      (Int64.max, UInt32.max), (1_000, 1), (1_001, 2), (-5, 0), (.min, 0), (.max - 1, .max),
    ] {
      let header = PendingRecord(.remove, hash: 7, created: 0, deadline: deadline).header
      let entry = Entry(header, at: 12)
      XCTAssertEqual(entry.deadline, seconds)
      let table = Segment.table(of: [entry], sealOffset: 99)
      XCTAssertEqual(table.count, Entry.size + 8)
      XCTAssertEqual(table.withUnsafeBytes { $0.loadUnaligned(as: Entry.self) }, entry)
    }
  }

  /// The index rounds deadlines up to whole seconds. A deadline of 0 is the first moment of 1970.
  func testAnEntryExpiresWithTheSecondOfItsDeadline() {
    for (deadline, last) in [(Int64(0), Int64(-1)), (1_000, 999), (1_001, 1_999)] {
      let header = PendingRecord(.set, hash: 7, created: 0, deadline: deadline).header
      let entry = Entry(header, at: 12)
      XCTAssertFalse(entry.isExpired(at: last), "\(deadline)")
      XCTAssertTrue(entry.isExpired(at: last + 1), "\(deadline)")
    }
    XCTAssertFalse(Entry(PendingRecord(.set, created: 0).header, at: 12).isExpired(at: .max))
  }

  /// The size of a segment is the segment's length at the last check. The total size of the sealed
  /// segments doesn't include the active segment.
  func testTheSizeOfASegmentIsItsLengthAtTheLastCheck() {
    XCTAssertEqual([index.sealedBytes, index.activeSize], [0, 0])
    let first = book
    index.segments[first]!.size = 100
    add(11)
    XCTAssertEqual([index.sealedBytes, index.activeSize], [100, 0])
    index.segments[book]!.size = 30
    XCTAssertNotNil(index.remove(first))
    XCTAssertEqual([index.sealedBytes, index.activeSize], [0, 30])
  }

  /// A damaged file may have more records than an index can refer to.
  func testASegmentWithTooManyEntriesLosesOnlyItsOlderEntries() {
    apply(.set, 1)
    // The index drops these entries without reading them, so their memory stays untouched.
    index.segments[book]!.entries = ContiguousArray(
      unsafeUninitializedCapacity: Table.mostEntries
    ) { _, count in count = Table.mostEntries }
    apply(.set, 2)
    XCTAssertEqual(index.entries(of: book), 0)
    XCTAssertNil(value(1))
    XCTAssertEqual(index.live, 0)
    let next = apply(.set, 3)
    XCTAssertEqual(value(3), next)
  }
}
