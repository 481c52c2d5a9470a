#if canImport(Network)
  import Foundation
  import Strata
  import StrataRedis
  import XCTest

  final class TLSTunnelTests: XCTestCase {
    /// Usually, no server listens on port 1 (`tcpmux`), so the connection is refused.
    func testARefusedConnectionNamesTheReason() throws {
      let server = try RedisServer("rediss://:hunter2@127.0.0.1:1", deadline: .seconds(120))
      let level: Cache<String, Data> = .redis(server, prefix: "p:")
      XCTAssertThrowsError(try level.get("k").wait(for: .seconds(300))) { error in
        XCTAssertTrue("\(error)".contains("can't be reached"), "\(error)")
        XCTAssertFalse("\(error)".contains("hunter2"))
      }
    }
  }
#endif
