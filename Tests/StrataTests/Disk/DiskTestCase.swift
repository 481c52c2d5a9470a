import Foundation
import XCTest

@testable import StrataCore
@testable import StrataDisk
@testable import StrataVerbs

/// Gives each test an empty directory, and values that contain a key and a version.
class DiskTestCase: XCTestCase {
  /// A directory that exists throughout the test. The directories of the test's stores are inside
  /// this directory.
  private(set) var base = ""
  /// The directory of the test's store. The directory doesn't exist until a disk level or a log
  /// creates it.
  var folder: String { base + "/store" }

  override func setUp() {
    // Uses an in-memory file system if possible, because ext4 is slow to re-create recently removed
    // files.
    let parent = access("/dev/shm", W_OK) == 0 ? "/dev/shm/" : NSTemporaryDirectory()
    base = parent + "strata-\(UUID().uuidString)"
    XCTAssertEqual(mkdir(base, 0o755), 0)
  }

  override func tearDown() {
    try? FileManager.default.removeItem(atPath: base)
  }

  /// Returns a new log in the test's directory. The log acts like the log of another process.
  /// Background work of the log runs synchronously.
  func log(capacity: Int = 4 << 20, files: FileSystem = .system) -> SegmentLog {
    SegmentLog(directory: folder, capacity: capacity, files: files, background: { $0() })
  }

  typealias Works = Lock<[@Sendable () -> Void]>

  /// Adds values to a log until the log schedules work that frees space. Returns the log, the
  /// scheduled work, and the number of values. The keys are consecutive numbers that start at zero.
  ///
  /// - Parameter isRead: Whether the function reads each value after adding it.
  func fullLog(
    isRead: Bool, files: FileSystem = .system
  ) throws -> (log: SegmentLog, waiting: Works, count: Int) {
    let waiting = Works([])
    let log = SegmentLog(
      directory: folder, capacity: 4 << 20, files: files,
      background: { work in waiting.withLock { $0.append(work) } })
    log.state.withLock { $0.capacity = Capacity(4 << 20, shortSegment: 0) }
    var count = 0
    while waiting.withLock({ $0.isEmpty }) {
      try log.set(Data(count: 1_000), for: "\(count)")
      if isRead { XCTAssertNotNil(log.value("\(count)")) }
      count += 1
    }
    return (log, waiting, count)
  }

  /// Whether the tests run at full size.
  var isLong: Bool { ProcessInfo.processInfo.environment["STRATA_LONG"] != nil }

  func names(in folder: String? = nil) -> [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: folder ?? self.folder)) ?? [])
      .filter { $0 != LogDirectory.presenceName }.sorted()
  }

  /// The total size of all files in the directory, in bytes.
  func usedBytes() -> Int { Self.usedBytes(in: folder) }

  /// Returns the total size of all files in a directory. If a file appears or disappears while the
  /// sizes are being added up, the function starts again.
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

/// A value that begins with its key, version, and length. The bytes after the length are computed
/// from the version and the length.
struct Stamp: Equatable {
  var key: String
  var version: Int

  func value(length: Int = 200) -> Data {
    let head = Array("\(key)|\(version)|\(length)|".utf8)
    let word = UInt64(truncatingIfNeeded: version &* 31 &+ length &+ 1) &* 0x9e37_79b9_7f4a_7c15
    // Fills eight bytes at a time, because a loop over single bytes would take most of the time of
    // a debug run.
    let body = [UInt64](repeating: word, count: length / 8 + 1)
    return Data(head) + body.withUnsafeBytes { Data($0.prefix(max(0, length - head.count))) }
  }

  /// Reads the key and version from a value, or returns `nil` if any byte is wrong.
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

  /// Reads a value on the caller's thread, even if the value is long.
  func value(for key: String) -> StoredValue? {
    CanonicalKey.withBytes(of: key) { key in find(key).flatMap { read($0, of: key) } }
  }

  /// Seals the active segment unless the segment is empty, and then begins a new segment.
  func roll() throws(FileError) {
    try writer.withLock { writer throws(FileError) in
      try openForWriting(&writer)
      try endSegment(sealingFor: .max >> 1, &writer)
    }
  }

  /// Runs one step of evicting the oldest segment.
  func trimStep() throws(FileError) {
    try writer.withLock { writer throws(FileError) in try trimStep(&writer) }
  }

  func evictOldest() throws(FileError) -> Bool {
    try writer.withLock { writer throws(FileError) in try evictOldest(for: .max, &writer) != nil }
  }
}
