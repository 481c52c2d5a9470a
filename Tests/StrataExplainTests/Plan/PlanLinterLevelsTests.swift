import XCTest

@testable import StrataCore
@testable import StrataExplain
@testable import StrataVerbs

/// Tests the advice about levels. Each test checks that some plans get a piece of advice, and that
/// other plans don't get it.
final class PlanLinterLevelsTests: PlanAdviceCase {
  func testAnUnboundedLevel() {
    assert(.unbounded, memory + .level("userDefaults", .storage), at: [1])
    assert(.unbounded, .level("memory", .memory, [nil: .count(.max)]), at: [])
    assert(.unbounded, .level("memory", .memory, [nil: .count(1 << 60)]), at: [])
    assertNo(.unbounded, .level("memory", .memory, [nil: .count((1 << 60) - 1)]))
    assert(.unbounded, memory + .level("userDefaults", .storage, [nil: .text("suite")]), at: [1])
    assert(.unbounded, .level("dictionary", .memory), at: [])
    assertNo(.unbounded, memory + .level("constant", .constant))
    assert(
      .unbounded, Cache<Int, Int>(get: { _ in throw CacheError.notFound }, set: { _, _ in }).plan,
      at: [])
    assertNo(.unbounded, memory + disk + network)
    assertNo(.unbounded, .level("mine", .storage, [nil: .name("as much as fits")]))
  }

  func testAMemoryThatFollowsNoRedisLevel() {
    let followed = memory.verb("following", ["prefix": .text("a:")])
    let redis = CachePlan.level("redis", .storage, [nil: .name("host"), "prefix": .text("a:")])
    let other = CachePlan.level("redis", .storage, [nil: .name("host"), "prefix": .text("b:")])
    assert(.unreachable, followed + network.pooled(), at: [0])
    assert(.unreachable, followed + other, at: [0])
    assert(.unreachable, redis + followed, at: [1])
    assertNo(.unreachable, followed)
    assertNo(.unreachable, followed + redis)
    assertNo(.unreachable, (followed + other).verb("aged") + redis.decoded())
  }

  func testALevelThatCanNeverBeReached() {
    assert(.unreachable, network.pooled() + disk, at: [1])
    assert(.unreachable, memory.verb("recovering") + disk, at: [1])
    assert(.unreachable, memory + memory.decoded(), at: [1])
    assert(
      .unreachable,
      .level("disk", .storage, [nil: .bytes(1_000_000_000)])
        + .level("disk", .storage, [nil: .bytes(1000 * 1_000_000)]), at: [1])
    assert(.unreachable, .level("memory", .memory, [nil: .count(0)]) + disk, at: [0])
    assert(.unreachable, disk.expiring(["after": .duration(.zero)]), at: [0])
    assertNo(.unreachable, memory + disk + network.pooled())
    assertNo(.unreachable, memory + .level("memory", .memory, [nil: .count(5000)]))
    assertNo(.unreachable, memory + .level("memory", .memory, [nil: .bytes(64 << 20)]))
    assertNo(.unreachable, memory.verb("aged", ["atMost": .duration(.seconds(5))]) + memory)
    assertNo(.unreachable, memory.verb("conditioned") + memory)
    assertNo(.unreachable, (memory + disk).verb("recovering"))
  }
}
