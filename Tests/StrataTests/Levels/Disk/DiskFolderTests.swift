import XCTest

@testable import Strata

final class DiskFolderTests: DiskTestCase {
  func testAHostileLevelNameStaysInsideItsParent() {
    for name in DiskNamesTests.hostile {
      let path = DiskFolder.path(forLevel: name, in: URL(fileURLWithPath: base, isDirectory: true))
      XCTAssertEqual(path.split(separator: "/").count, base.split(separator: "/").count + 1)
      XCTAssertTrue(path.hasPrefix(DiskFolder.plain(base) + "/"), path)
    }
  }

  func testTheDefaultParentIsInTheUsersCaches() {
    let path = DiskFolder.path(forLevel: "default")
    XCTAssertEqual(path, DiskFolder.plain(DiskFolder.caches().path + "/Strata/default"))
  }

  #if !canImport(Darwin)
    func testTheEnvironmentNamesTheCaches() {
      let given = DiskFolder.caches(environment: ["XDG_CACHE_HOME": "/var/tmp/c"])
      XCTAssertEqual(given.path, "/var/tmp/c")
      let relative = DiskFolder.caches(environment: ["XDG_CACHE_HOME": "c"])
      XCTAssertEqual(relative.lastPathComponent, ".cache")
      XCTAssertEqual(DiskFolder.caches(environment: [:]), relative)
    }
  #endif

  func testAPlainPathIsAbsoluteAndEndsInAName() {
    XCTAssertEqual(DiskFolder.plain("//a/./b//c/"), "/a/b/c")
    XCTAssertEqual(DiskFolder.plain("/"), "/")
    XCTAssertEqual(
      DiskFolder.plain("a"), DiskFolder.plain(FileManager.default.currentDirectoryPath + "/a"))
  }

  func testAllPathsToAFolderHaveOneCanonicalForm() throws {
    try FileManager.default.createSymbolicLink(
      atPath: base + "/link", withDestinationPath: base)
    let direct = DiskFolder.canonical(base + "/not/there", in: .system)
    XCTAssertEqual(DiskFolder.canonical(base + "/link/not/there", in: .system), direct)
    // The last component is the store's own, and a link there is not followed.
    let own = DiskFolder.canonical(base + "/link", in: .system)
    XCTAssertEqual(own.split(separator: "/").last, "link")
  }

  func testAncestryGoesFromTheFolderUp() {
    XCTAssertEqual(DiskFolder.ancestry(of: "/a/b/c"), ["/a/b/c", "/a/b", "/a"])
  }
}
