import Foundation
import StrataLaws
import XCTest

@testable import StrataCore
@testable import StrataRedis
@testable import StrataVerbs

final class RedisClusterLaws: XCTestCase {
  func testTheContractOfALevel() async throws {
    let cluster = try RedisClusterProcess.shared()
    let server = try RedisServer(cluster: cluster.addresses, deadline: .seconds(300))
    let prefix = UUID().uuidString + ":"
    // The levels of one group share their keys. The groups run at the same time.
    let level: @Sendable (String) -> Cache<String, Data> = { group in
      let level = Cache<String, Data>.redis(server, prefix: prefix + group)
      // Waits until the `clear` has settled. Without this wait, a later `set` on another server
      // could take effect before the `clear`.
      _ = try? level.clear().settled()
      return level
    }
    async let plain = Laws.check(
      .level("redis cluster", isPersistent: true) { level("a:") }, cases: RedisCase.cases(15))
    async let above = Laws.check(
      .level("above a redis cluster", consistency: .regular) { .memory(capacity: 2) + level("b:") },
      cases: RedisCase.cases(8))
    async let follows = Laws.check(
      .level("memory that follows a redis cluster", consistency: .regular) {
        .memory(capacity: 2).following(server, prefix: prefix + "c:") + level("c:")
      }, cases: RedisCase.cases(8))
    _ = try await (plain, above, follows)
  }
}
