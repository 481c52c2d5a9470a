import StrataLaws
import XCTest

@testable import Strata

final class DiskStoreDamageTests: DiskTestCase {
  private let key = "key"
  private let value = Stamp(key: "key", version: 1).value(length: 4_096 - 48 - 3)

  /// Writes a record and returns its file's bytes, 4,096 of them.
  private func whole(_ store: DiskStore) throws -> [UInt8] {
    try store.write(value, for: key)
    return contents(path(of: key))
  }

  private func assertMissAndGone(_ store: DiskStore, _ what: String) {
    XCTAssertNil(store.read(key), what)
    XCTAssertNil(status(path(of: key)), what)
  }

  func testEveryPrefixOfARecordIsAMissAndIsRemoved() throws {
    let store = store()
    let bytes = try whole(store)
    XCTAssertEqual(bytes.count, 4_096)
    for count in bytes.indices {
      put(bytes[..<count], at: path(of: key))
      assertMissAndGone(store, "\(count)")
    }
  }

  func testATailOfZerosIsAMissAndIsRemoved() throws {
    let store = store()
    let bytes = try whole(store)
    for count in stride(from: 0, to: bytes.count, by: 61) {
      put(bytes[..<count] + repeatElement(0, count: bytes.count - count), at: path(of: key))
      assertMissAndGone(store, "\(count)")
    }
  }

  func testEveryFlippedBitIsAMissAndIsRemoved() throws {
    let store = store()
    let bytes = try whole(store)
    var random = SeededGenerator(seed: 3)
    let header = Array(0..<Record.headerLength * 8)
    let body = (0..<1_000).map { _ in
      Int.random(in: Record.headerLength * 8..<bytes.count * 8, using: &random)
    }
    for bit in header + body {
      var flipped = bytes
      flipped[bit / 8] ^= 1 << (bit % 8)
      put(flipped, at: path(of: key))
      assertMissAndGone(store, "bit \(bit)")
    }
    put(bytes, at: path(of: key))
    XCTAssertEqual(store.read(key), value)
  }

  func testARecordUnderAnotherKeysNameIsAMissAndStays() throws {
    let store = store()
    let bytes = try whole(store)
    put(bytes, at: path(of: "other"))
    XCTAssertNil(store.read("other"))
    XCTAssertEqual(contents(path(of: "other")), bytes)
    XCTAssertEqual(store.read(key), value)
  }

  /// A file of a terabyte that claims to be one value: nothing may be allocated for it.
  func testALengthBombIsNotRead() throws {
    let recorder = FaultyFileSystem()
    let store = store(files: recorder.files)
    var bytes = try whole(store)
    let claimed = UInt64((1 << 40) - 48 - 3)
    withUnsafeBytes(of: claimed.littleEndian) { bytes.replaceSubrange(24..<32, with: $0) }
    put(bytes, at: path(of: key))
    let file = try XCTUnwrap(FileHandle(forWritingAtPath: path(of: key)))
    try file.truncate(atOffset: 1 << 40)
    let before = recorder.calls.filter { $0 == "read" }.count
    XCTAssertNil(store.read(key))
    XCTAssertEqual(recorder.calls.filter { $0 == "read" }.count - before, 1)
  }

  func testAReadThatFailsRemovesNothing() throws {
    let faulty = FaultyFileSystem()
    let store = store(files: faulty.files)
    let bytes = try whole(store)
    for operation in ["openFolder", "status", "open", "read"] {
      for code in [EIO, EACCES, EMFILE, EPERM] {
        faulty.setFault { $1 == operation ? code : nil }
        XCTAssertNil(store.read(key))
      }
    }
    faulty.setFault { _, _ in nil }
    XCTAssertEqual(store.read(key), value)
    XCTAssertEqual(contents(path(of: key)), bytes)
  }

  /// The file ended early for the first reader only: another look shows that it is whole.
  func testARecordIsJudgedOnASecondLook() throws {
    let faulty = FaultyFileSystem()
    var files = faulty.files
    let ends = Lock(0)
    let read = files.read
    files.read = { file, bytes, position throws(FileSystemError) in
      let cut = ends.withLock { ends in
        ends -= 1
        return ends == 0
      }
      return cut ? 0 : try read(file, &bytes, position)
    }
    let store = store(files: files)
    _ = try whole(store)
    ends.withLock { $0 = 2 }
    XCTAssertNil(store.read(key))
    XCTAssertEqual(store.read(key), value)
  }
}
