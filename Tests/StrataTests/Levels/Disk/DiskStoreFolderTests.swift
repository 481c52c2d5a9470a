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

  /// Files that are in the folder but are not records, some with the names of records.
  func testForeignFilesAreNeitherReadNorRemovedNorWaitedFor() throws {
    let first = store()
    try first.write(Data([1]), for: "kept")
    put([1], at: base + "/victim")
    let fifo = path(of: "fifo")
    XCTAssertEqual(mkfifo(fifo, 0o600), 0)
    XCTAssertEqual(mkfifo(folder + "/" + DiskNames.temporary(), 0o600), 0)
    XCTAssertEqual(mkdir(path(of: "folder"), 0o700), 0)
    XCTAssertEqual(symlink(base + "/victim", path(of: "link")), 0)
    XCTAssertEqual(symlink(base + "/nothing", path(of: "dangling")), 0)
    XCTAssertEqual(symlink(path(of: "loop"), path(of: "loop")), 0)
    put([1, 2, 3], at: folder + "/notes.txt")
    put([], at: folder + "/empty")
    for index in 0..<1_000 { put([1], at: folder + "/foreign-\(index)") }
    let before = names()

    let store = store()
    for key in ["fifo", "folder", "link", "dangling", "loop"] {
      XCTAssertNil(store.read(key))
      try store.remove(key)
    }
    XCTAssertEqual(store.read("kept"), Data([1]))
    XCTAssertEqual(names(), before)
    try store.removeAll()
    XCTAssertEqual(names(), before.filter { $0 != DiskNames.record(for: "kept") })
    XCTAssertEqual(contents(base + "/victim"), [1])

    // A folder in the way is an error; a link in the way is replaced, not followed.
    XCTAssertThrowsError(try store.write(Data([2]), for: "folder"))
    try store.write(Data([2]), for: "link")
    XCTAssertEqual(store.read("link"), Data([2]))
    XCTAssertEqual(contents(base + "/victim"), [1])
  }

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

  /// A link to a record that would be valid for the very key.
  func testALinkInPlaceOfARecordIsNotFollowed() throws {
    let other = DiskStore(directory: base + "/victim", capacity: 1_000)
    try other.write(Data([1]), for: "a")
    let victim = base + "/victim/" + DiskNames.record(for: "a")
    let before = try FileManager.default.attributesOfItem(atPath: victim)
    let store = store()
    try store.write(Data([2]), for: "b")
    XCTAssertEqual(symlink(victim, path(of: "a")), 0)
    XCTAssertNil(store.read("a"))
    let after = try FileManager.default.attributesOfItem(atPath: victim)
    XCTAssertEqual(before[.modificationDate] as? Date, after[.modificationDate] as? Date)
  }

  func testAFileOfAnotherUserIsNotRead() throws {
    try store().write(Data([1]), for: "a")
    let bytes = contents(path(of: "a"))
    var files = FileSystem.system
    files.status = { file throws(FileSystemError) in
      var status = try FileSystem.system.status(file)
      status.isOwnFile = false
      return status
    }
    XCTAssertNil(store(files: files).read("a"))
    XCTAssertEqual(contents(path(of: "a")), bytes)
  }

  func testAFolderReplacedByALinkIsNotFollowed() throws {
    let store = store()
    try store.write(Data([1]), for: "a")
    // Records that would be valid, were they reached through the link.
    XCTAssertEqual(rename(folder, base + "/victim"), 0)
    XCTAssertEqual(symlink(base + "/victim", folder), 0)
    let before = names(in: base + "/victim")
    XCTAssertNil(store.read("a"))
    assertUnavailable("open", [ENOTDIR, ELOOP]) { try store.write(Data([2]), for: "a") }
    assertUnavailable("open", [ENOTDIR, ELOOP]) { try store.removeAll() }
    XCTAssertNil(DiskStore.at(folder + "/", capacity: 1_000).read("a"))
    XCTAssertEqual(names(in: base + "/victim"), before)
  }

  /// The folder turns into a link and back while it is used; what the link leads to stays as it is.
  func testAFolderSwappedForALinkDuringUseNeverTouchesTheVictim() throws {
    let (victim, folder, aside) = (base + "/victim", folder, base + "/aside")
    let other = DiskStore(directory: victim, capacity: 1 << 20)
    for key in ["a", "b"] { try other.write(Data("secret".utf8), for: key) }
    let before = status(victim + "/" + DiskNames.record(for: "a"))
    let isDone = Lock(false)
    let swaps = Lock(0)
    let thread = Thread {
      for _ in 0..<300 {
        rename(folder, aside)
        symlink(victim, folder)
        unlink(folder)
        if rename(aside, folder) != 0 { try? FileManager.default.removeItem(atPath: aside) }
        swaps.withLock { $0 += 1 }
      }
      isDone.withLock { $0 = true }
    }
    let store = store()
    thread.start()
    var round = 0
    while !isDone.withLock({ $0 }) {
      round += 1
      _ = try? store.write(Data("own".utf8), for: "a")
      for key in ["a", "b"] {
        if let value = store.read(key) { XCTAssertEqual(value, Data("own".utf8)) }
      }
      if round % 7 == 0 { try? store.removeAll() }
    }
    XCTAssertEqual(swaps.withLock { $0 }, 300)
    XCTAssertEqual(names(in: victim).count, 2)
    let after = status(victim + "/" + DiskNames.record(for: "a"))
    XCTAssertEqual(before?.st_ino, after?.st_ino)
    XCTAssertEqual(other.read("a"), Data("secret".utf8))
  }
}
