import Foundation
import StrataLaws
import XCTest

@testable import StrataCore
@testable import StrataRedis
@testable import StrataVerbs

/// Gives each test access to an authority and to one server that uses TLS.
class TLSCase: RedisCase {
  private(set) var certificates: Certificates!

  override func setUpWithError() throws {
    try super.setUpWithError()
    certificates = try Certificates.shared()
  }

  /// The settings that trust the authority of the tests.
  var trusting: RedisTLS { RedisTLS(caFile: certificates.file) }

  /// Returns a server with TLS, which uses the given certificate or the one for the loopback
  /// addresses.
  func secureProcess(
    _ pair: Certificates.Pair? = nil, options: [String] = []
  ) throws -> RedisProcess {
    let process = try RedisProcess(options: options, tls: pair ?? certificates.loopback())
    try process.start()
    return process
  }

  /// Stores and reads a value.
  func check(_ server: RedisServer, line: UInt = #line) throws {
    let level = Cache<String, Data>.redis(server, prefix: prefix)
    let value = Data(UUID().uuidString.utf8)
    try level.set("k", value).settled()
    XCTAssertEqual(try level.get("k").settled(), value, line: line)
  }

  /// Checks that a server can't be used, and that the error contains all parts.
  func check(
    _ server: RedisServer, failsWith parts: String..., line: UInt = #line
  ) {
    let level = Cache<String, Data>.redis(server, prefix: prefix)
    XCTAssertThrowsError(try level.get("k").settled(), line: line) { error in
      for part in parts { XCTAssertTrue("\(error)".contains(part), "\(error)", line: line) }
      XCTAssertTrue("\(error)".hasSuffix("."), "\(error)", line: line)
      XCTAssertFalse("\(error)".contains("hunter2"), "\(error)", line: line)
    }
  }
}
