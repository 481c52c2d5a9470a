import Foundation
import Strata
import StrataLaws
import XCTest

@testable import StrataRedis

/// Gives each test access to one shared server, and a unique key prefix.
class RedisCase: XCTestCase {
  private(set) var process: RedisProcess!
  private(set) var prefix = ""

  override func setUpWithError() throws {
    process = try RedisProcess.shared()
    prefix = UUID().uuidString + ":"
  }

  /// Returns a new client of the shared server. Clients from separate calls share no connection, so
  /// a test can use them like clients of separate processes.
  func server(deadline: Duration = .seconds(60)) -> RedisServer {
    try! RedisServer(process.address, deadline: deadline)
  }

  /// Returns the number of cases to check for a law. The default is `part`. The environment
  /// variable `STRATA_CASES` overrides the default.
  static func cases(_ part: Int) -> Int {
    ProcessInfo.processInfo.environment["STRATA_CASES"] == nil ? part : LawSeed.cases
  }

  /// Waits for a condition. If the condition stays false for five minutes, the test fails at the
  /// caller's line.
  static func wait(
    file: StaticString = #filePath, line: UInt = #line, until condition: () -> Bool
  ) {
    let end = ContinuousClock.now + .seconds(300)
    while !condition() {
      guard ContinuousClock.now < end else {
        return XCTFail("The condition stayed false for five minutes.", file: file, line: line)
      }
      usleep(1000)
    }
  }

  func raw() throws -> RawClient { try XCTUnwrap(RawClient(port: process.port)) }

  /// Runs a closure that begins a get, and waits until the get has read the record many times. The
  /// get is then waiting for the load of another process.
  func beginWaiting<Result>(_ get: () throws -> Result) throws -> Result {
    let client = try raw()
    let before = client.calls(of: "mget") ?? 0
    let result = try get()
    Self.wait { (client.calls(of: "mget") ?? 0) >= before + 6 }
    return result
  }
}

extension Promise {
  /// Waits for the outcome, and returns the value. For tests that aren't async.
  func settled(file: StaticString = #filePath, line: UInt = #line) throws -> Value {
    try wait(for: .seconds(300))
  }
}
