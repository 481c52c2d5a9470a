import StrataLaws
import XCTest

@testable import StrataCore
@testable import StrataDisk
@testable import StrataVerbs

final class FileStorageTests: DiskTestCase {
  private let keys = (0..<9).compactMap { URL(string: "https://a.test/\($0).mp3") }

  private func storage(_ capacity: Int = 1000, files: FileSystem = .system) -> FileStorage {
    FileStorage(FileDirectory(folder, capacity: capacity, files: files))
  }

  /// Creates a file outside of the storage.
  private func file(_ text: String) throws -> URL {
    let file = URL(fileURLWithPath: "\(base)/\(UUID().uuidString)")
    try Data(text.utf8).write(to: file)
    return file
  }

  private func text(_ file: URL?) -> String? {
    file.flatMap { try? String(contentsOf: $0, encoding: .utf8) }
  }

  private func files(_ storage: FileStorage) -> Cache<URL, URL> {
    .files(storage, offMainThread: false)
  }

  /// A codec that reads and writes whole files, so that the laws can compare values.
  private static func contents(in folder: String) -> Codec<URL, Data> {
    Codec(
      decode: { file in
        guard let data = try? Data(contentsOf: file) else { throw CacheError.notFound }
        return data
      },
      encode: { data in
        let file = URL(fileURLWithPath: "\(folder)/\(UUID().uuidString)")
        try data.write(to: file)
        return file
      })
  }

  func testALevelOfFilesObeysTheLaws() async throws {
    let base = base
    let level: @Sendable (String) -> Cache<URL, Data> = { place in
      let storage = FileStorage(place, in: URL(fileURLWithPath: base))
      return .files(storage) <*> Self.contents(in: base)
    }
    try await Laws.check(.level("files", reopening: level), cases: Extent.cases(10))
  }

  func testAFileIsLinkedUnderTheNameOfItsKey() throws {
    let (storage, original) = (storage(), try file("one"))
    let level = files(storage)
    try level.set(keys[0], original).wait()
    let found = try level.get(keys[0]).wait()
    XCTAssertEqual(text(found), "one")
    XCTAssertEqual(found.pathExtension, "mp3")
    XCTAssertEqual(found.deletingLastPathComponent().path, folder)
    try FileManager.default.removeItem(at: original)
    XCTAssertEqual(text(found), "one")
    try level.set(keys[0], found).wait()  // The file itself, as when a sum fills the level.
    XCTAssertEqual(text(try level.get(keys[0]).wait()), "one")
    XCTAssertEqual(storage.bytes, 3)
    XCTAssertEqual(names(in: folder).count, 1)
  }

  func testAFileOfAnotherVolumeIsCopied() throws {
    let faults = FaultyFileSystem { _, call in call == "link" ? EXDEV : nil }
    let body = String(repeating: "0123456789", count: 60_000)
    let storage = storage(1_000_000, files: faults.files)
    let level = files(storage)
    try level.set(keys[0], try file(body)).wait()
    XCTAssertEqual(text(try level.get(keys[0]).wait()), body)
    XCTAssertEqual(names(in: folder).count, 1)
  }

  func testTheLeastRecentlyUsedFilesAreEvicted() throws {
    let time = Lock(0)
    var system = FileSystem.system
    system.touch = { folder, name in
      let second = time.withLock { time in
        time += 1
        return time
      }
      let times = [timespec(tv_sec: second, tv_nsec: 0), timespec(tv_sec: second, tv_nsec: 0)]
      _ = utimensat(folder, name, times, 0)
    }
    let level = files(storage(10, files: system))
    for key in keys[..<3] { try level.set(key, try file("abc")).wait() }
    _ = try level.get(keys[0]).wait()
    try level.set(keys[3], try file("defg")).wait()
    XCTAssertEqual(
      keys[..<4].map { level.get($0).outcome?.value != nil }, [true, false, true, true])
  }

  func testAFileMayHaveTheSizeOfTheCapacity() throws {
    let level = files(storage(5))
    try level.set(keys[0], try file("abcde")).wait()
    XCTAssertEqual(text(try level.get(keys[0]).wait()), "abcde")
  }

  func testWhatACrashHasLeftBehindIsRemovedAfterAnHour() throws {
    let (now, stored) = (Lock<Int64>(0), FileDirectory.name(of: keys[1]))
    var system = FileSystem.system
    system.now = { now.withLock { $0 } }
    let left = FileDirectory.name(of: keys[0]) + "~new-1"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
    put(Array("abcdef".utf8), at: "\(folder)/\(left)")
    let modified = FileStatus(try XCTUnwrap(status(left))).changed
    for (hour, names) in [(Int64(3_600_000), [left, stored].sorted()), (3_600_001, [stored])] {
      now.withLock { $0 = modified + hour }
      try files(storage(10, files: system)).set(keys[1], try file("ghijkl")).wait()
      XCTAssertEqual(self.names(in: folder), names, "\(hour)")
    }
  }

  func testADownloadThatRunsIsNotEvicted() throws {
    let (name, part) = (FileDirectory.name(of: keys[0]), FileDirectory.name(of: keys[0]) + "~part")
    func download() throws {
      let file = try XCTUnwrap(
        try PartialFile(name, in: FileDirectory(folder, capacity: 10)))
      try file.append(Data("abcdef".utf8))
      try files(storage(10)).set(keys[1], try self.file("ghijkl")).wait()
      XCTAssertTrue(names(in: folder).contains(part))
      withExtendedLifetime(file) {}
    }
    try download()
    try files(storage(10)).set(keys[2], try file("mnopqr")).wait()
    XCTAssertEqual(names(in: folder), [FileDirectory.name(of: keys[2])])
  }

  func testADownloadThatEndsEvictsOlderFiles() throws {
    let level = files(storage(10))
    try level.set(keys[0], try file("abcdef")).wait()
    let name = FileDirectory.name(of: keys[1])
    let part = try XCTUnwrap(try PartialFile(name, in: FileDirectory(folder, capacity: 10)))
    try part.append(Data("ghijkl".utf8))
    XCTAssertEqual(text(try part.finish()), "ghijkl")
    XCTAssertEqual(names(in: folder), [name])
  }

  func testAFileBeyondTheCapacityRemovesThePreviousValue() throws {
    let level = files(storage(5))
    try level.set(keys[0], try file("abc")).wait()
    XCTAssertThrowsError(try level.set(keys[0], try file("abcdef")).wait()) {
      XCTAssertEqual($0 as? DiskError, .valueTooLarge(bytes: 6, capacity: 5))
    }
    XCTAssertEqual(names(in: folder), [])
  }

  func testWhatIsNoFileIsRefused() throws {
    let level = files(storage())
    let missing = URL(fileURLWithPath: "\(base)/missing")
    for (value, code) in [
      (missing, ENOENT), (URL(fileURLWithPath: base), EPERM), (keys[0], EINVAL),
    ] {
      XCTAssertThrowsError(try level.set(keys[0], value).wait()) { error in
        guard case DiskError.unavailable(folder, _, code) = error else {
          return XCTFail("\(error)")
        }
      }
    }
    let link = URL(fileURLWithPath: "\(base)/link")
    try FileManager.default.createSymbolicLink(at: link, withDestinationURL: try file("x"))
    XCTAssertThrowsError(try level.set(keys[0], link).wait())
  }

  func testRemovingAndClearing() throws {
    let level = files(storage())
    try level.remove(keys[0]).wait()
    try level.clear().wait()
    for key in keys[..<3] { try level.set(key, try file("abc")).wait() }
    try Data().write(to: URL(fileURLWithPath: "\(folder)/notes.txt"))
    try level.remove(keys[0]).wait()
    XCTAssertTrue(level.get(keys[0]).outcome?.error?.isMiss == true)
    try level.clear().wait()
    XCTAssertEqual(names(in: folder), ["notes.txt"], "Other files stay.")
  }

  func testKeysWithEqualPathsHaveFilesOfTheirOwn() throws {
    let texts = [
      "http://a.test/x", "http://a.test/X", "http://a.test/x?a", "http://a.test/x.tar.gz",
    ]
    let level = files(storage())
    for text in texts {
      try level.set(try XCTUnwrap(URL(string: text)), try file(text)).wait()
    }
    for text in texts {
      let found = try level.get(try XCTUnwrap(URL(string: text))).wait()
      XCTAssertEqual(self.text(found), text)
    }
    let odd = try XCTUnwrap(URL(string: "http://a.test/x.%2F..%2Fy~part"))
    XCTAssertEqual(FileDirectory.name(of: odd).utf8.count, 64)
  }

  func testAFullVolumeIsAnErrorWithAdvice() throws {
    let faults = FaultyFileSystem { _, call in call == "link" ? ENOSPC : nil }
    let level = files(storage(files: faults.files))
    XCTAssertThrowsError(try level.set(keys[0], try file("a")).wait()) {
      XCTAssertTrue("\($0)".contains("Free some space"), "\($0)")
    }
    XCTAssertEqual(names(in: folder), [])
  }

  func testThePlanAndTheGaugesNameTheCapacity() throws {
    let level = files(storage(500))
    try level.set(keys[0], try file("abc")).wait()
    XCTAssertEqual(
      Cache<URL, URL>.files(storage(500)).plan.description, "files(500 B)")
    let gauges = level.named("episodes").currentGauges.map { "\($0.stage) \($0.name) \($0.value)" }
    XCTAssertEqual(gauges, ["episodes running 0", "episodes bytes 3", "episodes values 1"])
  }

  func testAHitLeavesTheMainThread() async throws {
    let (level, key) = (Cache<URL, URL>.files(storage()), keys[0])
    try await level.set(try file("abc"), for: key)
    let isImmediate = await MainActor.run { level.get(key).isReady }
    XCTAssertFalse(isImmediate)
    let found = try await level.value(for: key)
    XCTAssertEqual(text(found), "abc")
  }
}
