#if canImport(Darwin)
  import Foundation
  import Strata
  import XCTest

  final class CacheDirectoryTests: XCTestCase {
    func testAGroupOfOthersIsAnError() {
      XCTAssertThrowsError(try CacheDirectory.appGroup("group.unknown.\(UUID().uuidString)")) {
        XCTAssertTrue("\($0)".contains("entitlements"), "\($0)")
      }
    }
  }
#endif
