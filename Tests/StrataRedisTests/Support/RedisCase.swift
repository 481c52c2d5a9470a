import Foundation
import Strata
import StrataLaws
import XCTest

@testable import StrataRedis

/// Gives each test a server and a separate prefix.
class RedisCase: XCTestCase {
  private(set) var process: RedisProcess!
  private(set) var prefix = ""

  override func setUpWithError() throws {
    process = try RedisProcess.shared()
    prefix = UUID().uuidString + ":"
  }

  /// A client of the shared server, as another process would have one.
  func server(deadline: Duration = .seconds(60)) -> RedisServer {
    RedisServer(process.address, deadline: deadline)
  }

  /// The number of cases of a law: `STRATA_CASES` if it is set.
  static func cases(_ part: Int) -> Int {
    ProcessInfo.processInfo.environment["STRATA_CASES"] == nil ? part : Seed.cases
  }

  /// Waits for a condition, for at most five minutes. If it doesn't become true, the next assertion
  /// fails.
  static func wait(until condition: () -> Bool) {
    let end = ContinuousClock.now + .seconds(300)
    while !condition(), ContinuousClock.now < end { usleep(1000) }
  }

  func raw() throws -> RawClient { try XCTUnwrap(RawClient(port: process.port)) }
}

extension Promise {
  /// The outcome, for tests that don't suspend.
  func settled(file: StaticString = #filePath, line: UInt = #line) throws -> Value {
    try wait(for: .seconds(300))
  }
}
