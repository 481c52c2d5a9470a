import Foundation
import StrataLaws
import XCTest

@testable import StrataCore
@testable import StrataRedis
@testable import StrataVerbs

final class RedisLevelLaws: RedisCase {
  func testTheContractOfALevel() async throws {
    let server = server()
    let prefix = prefix
    let level: @Sendable () -> Cache<String, Data> = {
      let level = Cache<String, Data>.redis(server, prefix: prefix)
      _ = level.clear()
      return level
    }
    try await Laws.check(.level("redis", isPersistent: true, make: level), cases: Self.cases(60))
    try await Laws.check(
      .level("mapped redis") { { (key: String) in "a" + key } <^> level() <*> .identity },
      cases: Self.cases(20))
    try await Laws.check(
      .level("above redis", consistency: .regular) { .memory(capacity: 2) + level() },
      cases: Self.cases(20))
  }
}
