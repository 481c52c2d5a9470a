import XCTest

@testable import Strata

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Files in the folder that are not the store's, links above all, and whether it keeps off them.
final class DiskStoreStrangerTests: DiskTestCase {
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
    XCTAssertThrowsError(try store.write(Data([2]), for: "a"))
    XCTAssertThrowsError(try store.removeAll())
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
