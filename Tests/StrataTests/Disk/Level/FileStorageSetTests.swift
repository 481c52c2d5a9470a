import XCTest

@testable import StrataCore
@testable import StrataDisk
@testable import StrataVerbs

/// A `set` of a file that meets an eviction, or that fails.
final class FileStorageSetTests: DiskTestCase {
  private let keys = (0..<2).compactMap { URL(string: "https://a.test/\($0).mp3") }

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

  /// Another process stores a file, and evicts, between the steps of a `set` of an old file.
  func testALinkToAnOldFileIsNotEvicted() throws {
    for step in ["link", "rename"] {
      let other = FileDirectory(folder + step, capacity: 10)
      let isDone = Lock(false)
      let new = try file("ghi")
      let intrude = { @Sendable in
        guard
          !isDone.withLock({ isDone in
            defer { isDone = true }
            return isDone
          })
        else { return }
        try? other.adopt(new, as: FileDirectory.name(of: URL(fileURLWithPath: "/new")))
      }
      var system = FileSystem.system
      system.link = { path, folder, name throws(FileError) in
        try FileSystem.system.link(path, folder, name)
        if step == "link" { intrude() }
      }
      system.rename = { folder, name, new throws(FileError) in
        try FileSystem.system.rename(folder, name, new)
        if step == "rename" { intrude() }
      }
      let filled = FileStorage(FileDirectory(folder + step, capacity: 10, files: system))
      let stored = FileDirectory.name(of: keys[1])
      try other.adopt(try file("abcdef"), as: stored)
      let old = try file("jkl")
      for (path, second) in [(old.path, 1_000), ("\(folder)\(step)/\(stored)", 2_000)] {
        let times = [timespec(tv_sec: second, tv_nsec: 0), timespec(tv_sec: second, tv_nsec: 0)]
        XCTAssertEqual(utimensat(AT_FDCWD, path, times, 0), 0)
      }
      try files(filled).set(keys[0], old).wait()
      XCTAssertEqual(text(files(filled).get(keys[0]).outcome?.value), "jkl", step)
      XCTAssertTrue(isDone.withLock { $0 })
    }
  }

  func testAFailedSetLeavesThePreviousValue() throws {
    let faults = FaultyFileSystem()
    let level = files(FileStorage(FileDirectory(folder, capacity: 1_000, files: faults.files)))
    try level.set(keys[0], try file("old")).wait()
    for (call, code) in [("link", ENOSPC), ("rename", EIO)] {
      let new = try file("new")
      faults.setFault { _, name in name == call ? code : nil }
      XCTAssertThrowsError(try level.set(keys[0], new).wait())
      faults.setFault { _, _ in nil }
      XCTAssertEqual(text(level.get(keys[0]).outcome?.value), "old", call)
      XCTAssertEqual(names(in: folder).count, 1)
    }
  }
}
