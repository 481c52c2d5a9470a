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
    let level: @Sendable () -> Cache<String, Data> = {
      let level = Cache<String, Data>.redis(server, prefix: prefix)
      // Waits until the `clear` has settled. Without this wait, a later `set` on another server
      // could take effect before the `clear`.
      _ = try? level.clear().settled()
      return level
    }
    try await Laws.check(
      .level("redis cluster", isPersistent: true, make: level), cases: RedisCase.cases(15))
    try await Laws.check(
      .level("above a redis cluster", consistency: .regular) { .memory(capacity: 2) + level() },
      cases: RedisCase.cases(8))
    try await Laws.check(
      .level("memory that follows a redis cluster", consistency: .regular) {
        .memory(capacity: 2).following(server, prefix: prefix) + level()
      }, cases: RedisCase.cases(8))
  }
}
