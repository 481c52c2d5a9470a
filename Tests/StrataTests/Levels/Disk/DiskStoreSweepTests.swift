import XCTest

@testable import Strata

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Unfinished files: those of writers that died go, those of writers that live stay.
final class DiskStoreSweepTests: DiskTestCase {
  func testLeftOversOfADeadWriterAreSweptAndThoseOfALivingOneAreNot() throws {
    try store().write(Data([1]), for: "a")
    let (dead, living) = (DiskNames.temporary(), DiskNames.temporary())
    put([1, 2, 3], at: folder + "/" + dead)
    let descriptor = try FileSystem.system.openFolder(folder)
    let file = try FileSystem.system.create(descriptor, living)
    try FileSystem.system.lock(file)
    XCTAssertEqual(store().read("a"), Data([1]))
    XCTAssertEqual(names(), [DiskNames.record(for: "a"), living].sorted())
    try FileSystem.system.close(file)
    try FileSystem.system.close(descriptor)
    try store().removeAll()
    XCTAssertEqual(names(), [])
  }

  func testAWriterWhoseFileIsSweptWritesAgain() throws {
    let folder = folder
    let sweeps = Lock(1)
    var files = FileSystem.system
    files.rename = { descriptor, old, new throws(FileSystemError) in
      if sweeps.withLock({ $0.countDown() }) { unlink(folder + "/" + old) }
      try FileSystem.system.rename(descriptor, old, new)
    }
    let store = store(files: files)
    try store.write(Data([1]), for: "a")
    XCTAssertEqual(store.read("a"), Data([1]))
  }

  /// Another store that opens, and so sweeps, in the middle of a write.
  func testASweepDuringAWriteLeavesTheUnfinishedFile() throws {
    let folder = folder
    let created = Lock(0)
    var files = FileSystem.system
    files.create = { descriptor, name throws(FileSystemError) in
      created.withLock { $0 += 1 }
      return try FileSystem.system.create(descriptor, name)
    }
    files.write = { file, bytes throws(FileSystemError) in
      _ = DiskStore(directory: folder, capacity: 1_000).read("b")
      return try FileSystem.system.write(file, bytes)
    }
    try store(files: files).write(Data([1]), for: "a")
    XCTAssertEqual(created.withLock { $0 }, 1)
    XCTAssertEqual(store().read("a"), Data([1]))
  }
}
