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
    // The levels of one group share their keys. The groups run at the same time.
    let level: @Sendable (String) -> Cache<String, Data> = { group in
      let level = Cache<String, Data>.redis(server, prefix: prefix + group)
      _ = level.clear()
      return level
    }
    async let plain = Laws.check(
      .level("redis", isPersistent: true) { level("a:") }, cases: Self.cases(60))
    async let mapped = Laws.check(
      .level("mapped redis") { { (key: String) in "a" + key } <^> level("b:") <*> .identity },
      cases: Self.cases(20))
    async let above = Laws.check(
      .level("above redis", consistency: .regular) { .memory(capacity: 2) + level("c:") },
      cases: Self.cases(20))
    _ = try await (plain, mapped, above)
  }
}
