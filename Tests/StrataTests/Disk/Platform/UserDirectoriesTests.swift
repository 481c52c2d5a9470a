import Foundation
import XCTest

@testable import StrataCore
@testable import StrataDisk

final class UserDirectoriesTests: XCTestCase {
  #if canImport(Darwin)
    func testTheCachesAreThoseOfTheSystem() {
      let found = FileManager.default.urls(for: .cachesDirectory, in: .userDomainMask)
      XCTAssertEqual(UserDirectories.caches(), found.first)
    }
  #else
    func testTheEnvironmentNamesTheCaches() {
      let given = UserDirectories.caches(environment: ["XDG_CACHE_HOME": "/var/tmp/c"])
      XCTAssertEqual(given.path, "/var/tmp/c")
      let relative = UserDirectories.caches(environment: ["XDG_CACHE_HOME": "c"])
      XCTAssertEqual(relative.lastPathComponent, ".cache")
      XCTAssertEqual(UserDirectories.caches(environment: [:]), relative)
      // A service user may have a home that differs from the user database.
      for (name, home) in [("", "/srv/app"), ("c", "/srv/app")] {
        let given = UserDirectories.caches(environment: ["HOME": home, "XDG_CACHE_HOME": name])
        XCTAssertEqual(given.path, "/srv/app/.cache")
      }
      for home in ["", "app"] {
        XCTAssertEqual(UserDirectories.caches(environment: ["HOME": home]), relative)
      }
    }
  #endif
}
