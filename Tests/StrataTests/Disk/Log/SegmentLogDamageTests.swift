import StrataLaws
import XCTest

@testable import StrataCore
@testable import StrataDisk
@testable import StrataVerbs

/// Tests segments with every kind of damage. A get must return only values that were stored under
/// the requested key.
final class SegmentLogDamageTests: DiskTestCase {
  private let capacity = 64 << 10
  private let keys = (0..<12).map { "key-\($0)" }
  private var files: [(name: String, bytes: [UInt8])] = []
  private var stored: [String: Set<Int>] = [:]
  private var cases = 0
  private var hits = 0

  /// Creates two sealed segments and an active segment, with overwritten, removed, and retained
  /// records.
  private func makeFiles() throws {
    let log = log(capacity: capacity)
    var random = SeededGenerator(seed: 3)
    for version in 0..<160 {
      let key = keys.randomElement(using: &random)!
      if version % 11 == 10 {
        try log.remove(key)
        continue
      }
      let value = Stamp(key: key, version: version)
        .value(length: Int.random(in: 24...500, using: &random))
      try log.set(value, for: key)
      stored[key, default: []].insert(version)
      _ = log.value(keys[0])
    }
    files = names().map { ($0, contents(folder + "/" + $0)) }
    XCTAssertGreaterThanOrEqual(files.count, 3)
  }

  private func put(_ changed: [(name: String, bytes: [UInt8])]) {
    for name in names() { unlink(folder + "/" + name) }
    for file in changed { put(file.bytes, at: folder + "/" + file.name) }
  }

  private func check(_ log: SegmentLog, _ what: String) {
    for key in keys {
      guard let value = log.value(key) else { continue }
      hits += 1
      guard let stamp = Stamp(value), stamp.key == key, stored[key]!.contains(stamp.version) else {
        return XCTFail("\(what): \(key)")
      }
    }
  }

  private func openWith(_ changed: [(name: String, bytes: [UInt8])], _ what: String) {
    cases += 1
    put(changed)
    let log = log(capacity: capacity)
    check(log, what)
    if cases.isMultiple(of: 16) {
      XCTAssertNoThrow(try log.set(Data([1]), for: "other"), what)
      XCTAssertEqual(log.value("other"), Data([1]), what)
      check(log, what)
    }
  }

  private func with(_ file: Int, _ change: (inout [UInt8]) -> Void) -> [(
    name: String, bytes: [UInt8]
  )] {
    var changed = files
    change(&changed[file].bytes)
    return changed
  }

  func testADamagedSegmentNeverReturnsAValueThatWasNotStored() throws {  // T45
    try makeFiles()
    let last = files.count - 1
    for length in stride(from: 0, to: files[last].bytes.count, by: isLong ? 1 : 9) {
      openWith(with(last) { $0.removeLast($0.count - length) }, "cut to \(length)")
    }
    for length in stride(from: 0, to: files[0].bytes.count, by: isLong ? 7 : 211) {
      openWith(with(0) { $0.removeLast($0.count - length) }, "sealed, cut to \(length)")
    }
    for bit in stride(from: 0, to: 64 * 8, by: isLong ? 1 : 5) {
      for file in files.indices {
        openWith(with(file) { $0[bit / 8] ^= 1 << (bit % 8) }, "bit \(bit) of \(file)")
      }
    }
    var random = SeededGenerator(seed: 4)
    for round in 0..<(isLong ? 3_000 : 200) {
      let file = Int.random(in: files.indices, using: &random)
      let bit = Int.random(in: 0..<files[file].bytes.count * 8, using: &random)
      openWith(with(file) { $0[bit / 8] ^= 1 << (bit % 8) }, "random bit \(round)")
    }
    for round in 0..<(isLong ? 600 : 60) {
      let file = Int.random(in: files.indices, using: &random)
      let start = Int.random(in: 0..<files[file].bytes.count, using: &random)
      let end = min(files[file].bytes.count, start + Int.random(in: 1...3_000, using: &random))
      let isZero = round % 2 == 0
      openWith(
        with(file) {
          for place in start..<end { $0[place] = isZero ? 0 : .random(in: 0...255, using: &random) }
        }, "range \(round)")
    }
    for round in 0..<(isLong ? 300 : 40) {
      let (from, to) = (
        Int.random(in: files.indices, using: &random),
        Int.random(in: files.indices, using: &random)
      )
      let start = Int.random(in: 0..<files[from].bytes.count, using: &random)
      let piece = files[from].bytes[start...].prefix(Int.random(in: 1...4_000, using: &random))
      let place = Int.random(in: 0..<files[to].bytes.count, using: &random)
      openWith(with(to) { $0.insert(contentsOf: piece, at: place) }, "piece \(round)")
    }
    for one in files.indices {
      for other in files.indices where one != other {
        var changed = files
        (changed[one].bytes, changed[other].bytes) = (files[other].bytes, files[one].bytes)
        openWith(changed, "\(one) and \(other) exchanged")
      }
      openWith(files.enumerated().filter { $0.offset != one }.map(\.element), "without \(one)")
    }
    openWith(files, "as they were")
    XCTAssertGreaterThan(hits, cases)
    print("damage: \(cases) cases, \(hits) hits")
  }

  /// Tests a record with a damaged body. Only the body's checksum can reveal this damage.
  func testADamagedBodyIsAMissEvenInASealedSegment() throws {
    let log = log(capacity: capacity)
    let value = Stamp(key: "a", version: 1).value(length: 400)
    try log.set(value, for: "a")
    for number in 0..<60 { try log.set(Data(count: 400), for: "\(number)") }
    XCTAssertGreaterThan(names().count, 1)
    let path = folder + "/" + names()[0]
    let bytes = contents(path)
    XCTAssertEqual(log.value("a"), value)
    for place in [72 + 64 + 1, 72 + 64 + 200, 72 + 64 + 400] {
      var damaged = bytes
      damaged[place] ^= 1
      put(damaged, at: path)
      for log in [log, self.log(capacity: capacity)] { XCTAssertNil(log.value("a")) }
    }
    put(bytes, at: path)
    XCTAssertEqual(log.value("a"), value)
  }

  func testDamageWhileOpenIsAMiss() throws {
    try makeFiles()
    var random = SeededGenerator(seed: 5)
    put(files)
    let log = log(capacity: capacity)
    check(log, "whole")
    for round in 0..<(isLong ? 3_000 : 300) {
      let file = Int.random(in: files.indices, using: &random)
      let place = Int.random(in: 0..<files[file].bytes.count, using: &random)
      let handle = open(folder + "/" + files[file].name, O_WRONLY)
      var byte = UInt8.random(in: 0...255, using: &random)
      pwrite(handle, &byte, 1, off_t(place))
      close(handle)
      check(log, "round \(round)")
    }
  }

  /// If the table of a segment has wrong offsets, the log ignores the table and reads the segment
  /// record by record.
  func testASegmentWithAWrongTableIsRead() throws {
    let log = log(capacity: capacity)
    for number in 0..<60 {
      try log.set(Data("\(number)".utf8) + Data(count: 400), for: "\(number)")
    }
    XCTAssertGreaterThan(names().count, 1)
    for name in names().dropLast() {
      var bytes = contents(folder + "/" + name)
      let end = bytes.count - RecordHeader.endLength
      bytes.replaceSubrange((end - 8)..<end, with: repeatElement(0xff, count: 8))
      put(bytes, at: folder + "/" + name)
    }
    let other = self.log(capacity: capacity)
    for number in 0..<60 {
      XCTAssertEqual(other.value("\(number)"), log.value("\(number)"), "\(number)")
      XCTAssertNotNil(other.value("\(number)"))
    }
  }

  /// A process that hasn't seen the seal appends a record after the seal. All processes ignore that
  /// record.
  func testARecordAfterASealDoesNotCount() throws {
    let log = log(capacity: capacity)
    try log.set(Data([1]), for: "a")
    let name = names()[0]
    let record = contents(folder + "/" + name)
    try log.remove("a")
    for number in 0..<60 { try log.set(Data(count: 400), for: "\(number)") }
    XCTAssertGreaterThan(names().count, 1)
    put(contents(folder + "/" + name) + record, at: folder + "/" + name)
    for log in [log, self.log(capacity: capacity)] { XCTAssertNil(log.value("a")) }
    put(contents(folder + "/" + name) + [1, 2, 3], at: folder + "/" + name)
    XCTAssertNotNil(self.log(capacity: capacity).value("1"))
  }
}
