import XCTest

@testable import StrataCore
@testable import StrataDisk
@testable import StrataVerbs

final class DirectoryPathTests: DiskTestCase {
  static let hostile = [
    "", ".", "..", "../../etc/passwd", "/etc/passwd", "a\u{0}b", "\n", "%2e%2e", "~root", "/", "//",
    "CON", "AUX", "Foo", "foo", "a/b", "é", "🙂🏽", "\u{fffd}", "-rf", ".hidden", "trailing.",
    String(repeating: "x", count: 300),
  ]

  func testALevelsDirectoryIsOnePlainComponent() {
    for name in Self.hostile {
      let folder = DirectoryPath.component(for: name)
      XCTAssertFalse(folder.contains("/") || folder.utf8.contains(0), folder)
      XCTAssertFalse(folder.isEmpty || folder.hasPrefix(".") || folder.utf8.count > 200, folder)
    }
    let folders = Self.hostile.map { DirectoryPath.component(for: $0).lowercased() }
    XCTAssertEqual(Set(folders).count, folders.count)
  }

  func testAPlainLevelNameStandsForItself() {
    for name in ["default", "articles", "v1.2_images-3"] {
      XCTAssertEqual(DirectoryPath.component(for: name), name)
    }
    XCTAssertEqual(
      DirectoryPath.component(for: "caf\u{e9}"), DirectoryPath.component(for: "cafe\u{301}"))
  }

  func testAPlainNameOfAtMost64CharactersStandsForItself() {
    let longest = String(repeating: "n", count: 64)
    XCTAssertEqual(DirectoryPath.component(for: longest), longest)
    let hashed = DirectoryPath.component(for: longest + "n")
    XCTAssertTrue(hashed.hasPrefix(String(repeating: "n", count: 32) + "%"), hashed)
  }

  /// An `https` URL also has a path, and this path can look like a directory. The level must refuse
  /// any URL that isn't a file URL.
  func testAURLThatIsNotAFileURLIsRefusedAndWritesNothing() throws {
    let url = try XCTUnwrap(URL(string: "https://example.org" + base))
    XCTAssertEqual(url.path, base)
    let log = SegmentLogs.at(DirectoryPath.of("store", in: url), capacity: 1 << 20)
    for write in [{ try log.set(Data([1]), for: "a") }, { try log.remove("a") }, log.removeAll] {
      XCTAssertThrowsError(try write()) { error in
        guard case DiskError.unavailable(let directory, _, EINVAL) = error else {
          return XCTFail("\(error)")
        }
        XCTAssertTrue(directory.contains("example.org"), directory)
      }
    }
    XCTAssertNil(log.value("a"))
    let cache = Cache<String, Data>.disk("store", in: url)
    XCTAssertThrowsError(try cache.set("a", Data([1])).wait(for: .seconds(60)))
    XCTAssertEqual(names(in: base), [])
  }
  /// A URL without a scheme is a path. A URL that is no path fails with an error that shows the URL
  /// and has no NUL.
  func testAURLWithoutASchemeIsAPath() throws {
    let url = try XCTUnwrap(URL(string: base + "/a%20b"))
    XCTAssertFalse(url.isFileURL)
    XCTAssertEqual(DirectoryPath.of("x", in: url), base + "/a b/x")
    let cache = Cache<String, Data>.disk("x", in: url, offMainThread: false)
    XCTAssertNoThrow(try cache.set("a", Data([1])).wait(for: .seconds(60)))
    XCTAssertEqual(names(in: base), ["a b"])
    let long = "file:///" + String(repeating: "n/", count: 4_000)
    for text in ["http://example.org/x", "//example.org/x", "data:,x", "?x", "#x", long] {
      let url = try XCTUnwrap(URL(string: text))
      XCTAssertThrowsError(
        try SegmentLogs.at(DirectoryPath.of("x", in: url), capacity: 1 << 20).open(), text
      ) {
        let description = ($0 as? DiskError)?.description ?? ""
        XCTAssertTrue(description.contains("file URL"), description)
        XCTAssertTrue(text == long || description.contains(text), description)
        XCTAssertFalse(description.utf8.contains(0), description)
      }
    }
    let path = SegmentLogs.at(base + "/a\0b", capacity: 1 << 20)
    XCTAssertThrowsError(try path.open()) {
      XCTAssertTrue("\($0)".contains("a\\0b"), "\($0)")
    }
  }

  func testAHostileLevelNameStaysInsideItsParent() {
    for name in Self.hostile {
      let path = DirectoryPath.of(name, in: URL(fileURLWithPath: base, isDirectory: true))
      XCTAssertEqual(path.split(separator: "/").count, base.split(separator: "/").count + 1)
      XCTAssertTrue(path.hasPrefix(DirectoryPath.plain(base) + "/"), path)
    }
  }

  func testTheDefaultParentIsInTheUsersCaches() {
    let path = DirectoryPath.of("default")
    XCTAssertEqual(path, DirectoryPath.plain(UserDirectories.caches().path + "/Strata/default"))
  }

  func testAPlainPathIsAbsoluteAndEndsInAName() {
    XCTAssertEqual(DirectoryPath.plain("//a/./b//c/"), "/a/b/c")
    XCTAssertEqual(DirectoryPath.plain("/"), "/")
    XCTAssertEqual(
      DirectoryPath.plain("a"), DirectoryPath.plain(FileManager.default.currentDirectoryPath + "/a")
    )
  }

  func testAllPathsToADirectoryHaveOneCanonicalForm() throws {
    try FileManager.default.createSymbolicLink(
      atPath: base + "/link", withDestinationPath: base)
    let direct = DirectoryPath.canonical(base + "/not/there", in: .system)
    XCTAssertEqual(DirectoryPath.canonical(base + "/link/not/there", in: .system), direct)
    // `canonical` follows links except in the last component, which is the store's directory.
    let own = DirectoryPath.canonical(base + "/link", in: .system)
    XCTAssertEqual(own.split(separator: "/").last, "link")
  }

  /// A sandbox may forbid access to the directories above its own directory.
  func testAllMissingDirectoriesAreMadeWithoutAccessToTheDirectoriesAbove() throws {
    let base = base
    let refused = Lock<[String]>([])
    var files = FileSystem.system
    files.makeDirectory = { path throws(FileError) in
      guard path.hasPrefix(base + "/") else {
        refused.withLock { $0.append(path) }
        throw FileError(operation: "mkdir", code: EPERM)
      }
      try FileSystem.system.makeDirectory(path)
    }
    for path in ["/x", "/y/z", "/a/b/c/d/e"] {
      try DirectoryPath.make(base + path, in: files)
      XCTAssertEqual(mode(base + path), 0o700)
    }
    XCTAssertEqual(refused.withLock { $0 }, [])
  }

  func testADirectoryIsMadeInADirectoryThatAnotherProcessMakesAtTheSameTime() throws {
    let (upper, rivals) = (base + "/x", Lock(1))
    var files = FileSystem.system
    files.makeDirectory = { path throws(FileError) in
      if path == upper, rivals.withLock({ $0.countDown() }) {
        try FileSystem.system.makeDirectory(path)
      }
      try FileSystem.system.makeDirectory(path)
    }
    try DirectoryPath.make(upper + "/y", in: files)
    XCTAssertEqual(rivals.withLock { $0 }, 0)
    XCTAssertEqual(mode(upper + "/y"), 0o700)
  }

  func testMakingADirectoryFailsIfNotEvenItsFirstAncestorCanBeMade() {
    let paths = Lock<[String]>([])
    var files = FileSystem.system
    files.makeDirectory = { path throws(FileError) in
      paths.withLock { $0.append(path) }
      throw FileError(operation: "mkdir", code: ENOENT)
    }
    XCTAssertThrowsError(try DirectoryPath.make("/a/b/c", in: files)) {
      XCTAssertEqual($0 as? FileError, FileError(operation: "mkdir", code: ENOENT))
    }
    XCTAssertEqual(paths.withLock { $0 }, ["/a/b/c", "/a/b", "/a"])
  }
}
