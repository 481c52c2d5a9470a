import XCTest

@testable import Strata

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// What others do to the folder while a store uses it.
final class DiskStoreFolderTests: DiskTestCase {
  private func assertUnavailable(
    _ operation: String, _ codes: Set<Int32>, _ body: () throws -> Void
  ) {
    XCTAssertThrowsError(try body()) { error in
      guard case .unavailable(folder, operation, let code)? = error as? DiskError else {
        return XCTFail("\(error)")
      }
      XCTAssertTrue(codes.contains(code), "\(error)")
    }
  }

  func testAFolderRemovedUnderneathIsMadeAgain() throws {
    let store = store()
    for version in 0..<3 {
      try store.write(Data([UInt8(version)]), for: "a")
      try FileManager.default.removeItem(atPath: version == 1 ? base : folder)
      XCTAssertNil(store.read("a"))
      try store.remove("a")
      try store.removeAll()
    }
    try store.write(Data([9]), for: "a")
    XCTAssertEqual(store.read("a"), Data([9]))
    XCTAssertEqual(store.usage.withLock { $0.size.map { $0 >= usedBytes() } }, true)
  }

  func testAFolderRemovedDuringAWriteIsMadeAgain() throws {
    let folder = folder
    let removals = Lock(1)
    var files = FileSystem.system
    files.create = { descriptor, name throws(FileSystemError) in
      if removals.withLock({ $0.countDown() }) {
        try? FileManager.default.removeItem(atPath: folder)
      }
      return try FileSystem.system.create(descriptor, name)
    }
    let store = store(files: files)
    try store.write(Data([1]), for: "a")
    XCTAssertEqual(store.read("a"), Data([1]))
  }

  func testFoldersAreMadeAllTheWayDown() throws {
    let deep = DiskStore(directory: base + "/x/y/z", capacity: 1_000)
    try deep.write(Data([1]), for: "a")
    XCTAssertEqual(deep.read("a"), Data([1]))
    for path in ["/x", "/x/y", "/x/y/z"] { XCTAssertEqual(mode(base + path), 0o700) }
  }

  func testAFileInPlaceOfTheFolderIsAnErrorUntilItIsGone() throws {
    put([1], at: folder)
    let store = store()
    assertUnavailable("open", [ENOTDIR]) { try store.write(Data([1]), for: "a") }
    assertUnavailable("open", [ENOTDIR]) { try store.remove("a") }
    assertUnavailable("open", [ENOTDIR]) { try store.removeAll() }
    XCTAssertNil(store.read("a"))
    XCTAssertEqual(contents(folder), [1])
    XCTAssertEqual(unlink(folder), 0)
    try store.write(Data([1]), for: "a")
    XCTAssertEqual(store.read("a"), Data([1]))
  }

  func testAReadOnlyVolumeIsAnErrorForWritesAndServesReads() throws {
    let faulty = FaultyFileSystem()
    let store = store(files: faulty.files)
    try store.write(Data([1]), for: "a")
    let changing: Set = ["create", "unlink", "rename", "setTime", "makeFolder"]
    faulty.setFault { changing.contains($1) ? EROFS : nil }
    XCTAssertEqual(store.read("a"), Data([1]))
    assertUnavailable("create", [EROFS]) { try store.write(Data([2]), for: "b") }
    assertUnavailable("unlink", [EROFS]) { try store.removeAll() }
    XCTAssertEqual(store.read("a"), Data([1]))
  }

  func testAFolderWithoutPermissionIsAnErrorThatHeals() throws {
    try XCTSkipIf(geteuid() == 0, "root may write everywhere")
    let store = store()
    try store.write(Data([1]), for: "a")
    XCTAssertEqual(chmod(folder, 0o500), 0)
    assertUnavailable("openat", [EACCES]) { try store.write(Data([2]), for: "b") }
    XCTAssertEqual(store.read("a"), Data([1]))
    XCTAssertEqual(chmod(folder, 0o700), 0)
    try store.write(Data([2]), for: "b")
  }

  func testAFolderOfAnotherUserIsNotUsed() throws {
    var files = FileSystem.system
    files.status = { file throws(FileSystemError) in
      var status = try FileSystem.system.status(file)
      (status.isOwn, status.isOwnFile) = (false, false)
      return status
    }
    let store = store(files: files)
    assertUnavailable("fstat", [EPERM]) { try store.write(Data([1]), for: "a") }
    XCTAssertNil(store.read("a"))
  }

  func testAPathWithANULIsRefusedAndNotCutShort() {
    let store = DiskStore(directory: base + "/cut\u{0}off", capacity: 1_000)
    XCTAssertThrowsError(try store.write(Data([1]), for: "a"))
    XCTAssertNil(store.read("a"))
    XCTAssertEqual(names(in: base), [])
  }

  func testPermissionsArePrivateFromTheStart() throws {
    for mask in [mode_t(0), 0o022] {
      let previous = umask(mask)
      defer { umask(previous) }
      let folder = folder
      let modes = Lock<[Int]>([])
      var files = FileSystem.system
      files.create = { descriptor, name throws(FileSystemError) in
        let file = try FileSystem.system.create(descriptor, name)
        var found = stat()
        _ = lstat(folder + "/" + name, &found)
        modes.withLock { $0.append(Int(found.st_mode) & 0o777) }
        return file
      }
      try store(files: files).write(Data([1]), for: "a")
      XCTAssertEqual(modes.withLock { $0 }, [0o600])
      XCTAssertEqual(mode(folder), 0o700)
      XCTAssertEqual(mode(path(of: "a")), 0o600)
      try FileManager.default.removeItem(atPath: folder)
    }
  }
}
