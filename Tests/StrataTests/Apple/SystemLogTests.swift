#if canImport(os)
  import os
  import Strata
  import XCTest

  final class SystemLogTests: XCTestCase {
    func testEachEventIsLoggedAndEmitted() {
      struct Refused: Error {}
      let logger = Logger(subsystem: "strata.tests", category: "log")
      let signposter = OSSignposter(subsystem: "strata.tests", category: "log")
      let refusing = Cache<String, Int>(
        get: { _ in Promise(error: Refused()) }, set: { _, _ in Promise() })
      let seen = (.dictionary() + refusing).named("shelf")
        .observed(by: .log(to: logger)).observed(by: .signposts(to: signposter))
      XCTAssertNotNil(seen.get("a").outcome?.error)
      _ = seen.set("a", 1)
      XCTAssertEqual(seen.get("a").outcome?.value, 1)
    }
  }
#endif
