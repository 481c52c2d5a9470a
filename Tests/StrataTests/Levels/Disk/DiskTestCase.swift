import Foundation
import XCTest

@testable import Strata

/// Gives each test an empty folder, and values that tell whose they are.
class DiskTestCase: XCTestCase {
  /// An existing folder of this test alone; the stores live in folders inside it.
  private(set) var base = ""
  /// The folder of the test's store; not there until something makes it.
  var folder: String { base + "/store" }

  override func setUp() {
    // In memory where there is such a folder: ext4 takes long to create what was just removed.
    let parent = access("/dev/shm", W_OK) == 0 ? "/dev/shm/" : NSTemporaryDirectory()
    base = parent + "strata-\(UUID().uuidString)"
    XCTAssertEqual(mkdir(base, 0o755), 0)
  }

  override func tearDown() {
    try? FileManager.default.removeItem(atPath: base)
  }

  /// An engine of its own on the test's folder, as another process would have one. What no caller
  /// waits for is done before the call returns.
  func log(capacity: Int = 4 << 20, files: FileSystem = .system) -> SegmentLog {
    SegmentLog(directory: folder, capacity: capacity, files: files, background: { $0() })
  }

  /// Whether to run at full size.
  var isLong: Bool { ProcessInfo.processInfo.environment["STRATA_LONG"] != nil }

  func names(in folder: String? = nil) -> [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: folder ?? self.folder)) ?? [])
      .filter { $0 != LogDirectory.presenceName }.sorted()
  }

  /// The bytes of all files in the folder, whatever they are.
  func usedBytes() -> Int { Self.usedBytes(in: folder) }

  /// No more than there was at one moment: a sum during which a file came or went is taken again.
  static func usedBytes(in folder: String) -> Int {
    func names() -> Set<String> {
      Set((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [])
    }
    for _ in 0..<100 {
      let before = names()
      let sum = before.reduce(0) { sum, name in
        var found = stat()
        return lstat(folder + "/" + name, &found) == 0 ? sum + Int(found.st_size) : sum
      }
      if names() == before { return sum }
    }
    return 0
  }

  func status(_ name: String) -> stat? {
    var found = stat()
    return lstat(name.hasPrefix("/") ? name : folder + "/" + name, &found) == 0 ? found : nil
  }

  func mode(_ path: String) -> Int? { status(path).map { Int($0.st_mode) & 0o777 } }

  func contents(_ path: String) -> [UInt8] {
    Array(FileManager.default.contents(atPath: path) ?? Data())
  }

  func put(_ bytes: some Sequence<UInt8>, at path: String) {
    let bytes = Array(bytes)
    let file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
    XCTAssertEqual(write(file, bytes, bytes.count), bytes.count)
    close(file)
  }
}

/// A value that names its key, its version and its length, and whose every byte follows from them.
struct Stamp: Equatable {
  var key: String
  var version: Int

  func value(length: Int = 200) -> Data {
    let head = Array("\(key)|\(version)|\(length)|".utf8)
    let word = UInt64(truncatingIfNeeded: version &* 31 &+ length &+ 1) &* 0x9e37_79b9_7f4a_7c15
    // Eight bytes at a time, because a loop over bytes is most of a debug run.
    let body = [UInt64](repeating: word, count: length / 8 + 1)
    return Data(head) + body.withUnsafeBytes { Data($0.prefix(max(0, length - head.count))) }
  }

  /// What a value says it is, or `nil` if any byte of it is wrong.
  init?(_ value: Data) {
    let parts = value.split(separator: UInt8(ascii: "|"), maxSplits: 3)
      .prefix(3).map { String(decoding: $0, as: UTF8.self) }
    guard parts.count == 3, let version = Int(parts[1]), let length = Int(parts[2]) else {
      return nil
    }
    self.init(key: parts[0], version: version)
    guard self.value(length: length) == value else { return nil }
  }

  init(key: String, version: Int) {
    (self.key, self.version) = (key, version)
  }
}

extension SegmentLog {
  func value(_ key: String) -> Data? { value(for: key)?.value }

  /// Reads on the caller's thread, however long the value is.
  func value(for key: String) -> StoredValue? {
    CanonicalKey.withBytes(of: key) { key in find(key).flatMap { read($0, of: key) } }
  }

  /// Seals the active segment, unless it is empty, and begins the next one.
  func roll() throws(FileError) {
    try writer.withLock { writer throws(FileError) in
      try openForWriting(&writer)
      try endSegment(sealingFor: .max >> 1, &writer)
    }
  }

  /// One step of the eviction of the oldest segment.
  func trimStep() throws(FileError) {
    try writer.withLock { writer throws(FileError) in try trimStep(&writer) }
  }

  func evictOldest() throws(FileError) -> Bool {
    try writer.withLock { writer throws(FileError) in try evictOldest(&writer) }
  }
}
