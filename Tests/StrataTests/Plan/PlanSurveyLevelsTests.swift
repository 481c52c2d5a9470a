import XCTest

@testable import Strata

/// Rules of levels, each with a plan of which it has something to say, and one of which it has
/// nothing.
final class PlanSurveyLevelsTests: PlanAdviceCase {
  func testAnUnboundedLevel() {
    assert(.unbounded, memory + .level("userDefaults"), at: [1])
    assert(.unbounded, .level("memory", detail: "\(Int.max)"), at: [])
    assert(.unbounded, memory + .level("userDefaults", detail: "\"suite\""), at: [1])
    assert(.unbounded, .level("dictionary"), at: [])
    assertNo(.unbounded, memory + .level("constant"))
    assert(.unbounded, Cache<Int, Int>(get: { _ in throw CacheError.notFound }).plan, at: [])
    assertNo(.unbounded, memory + disk + network)
    assertNo(.unbounded, .level("mine", detail: "as much as fits"))
  }

  func testALevelThatCanNeverBeReached() {
    assert(.unreachable, network.pooled() + disk, at: [1])
    assert(.unreachable, memory.verb("recovering") + disk, at: [1])
    assert(.unreachable, memory + memory.decoded(), at: [1])
    assert(
      .unreachable, .level("disk", detail: "1 GB") + .level("disk", detail: "1000 MB"), at: [1])
    assert(.unreachable, .level("memory", detail: "0") + disk, at: [0])
    assert(.unreachable, disk.expiring("after: 0.0 ns"), at: [0])
    assertNo(.unreachable, memory + disk + network.pooled())
    assertNo(.unreachable, memory + .level("memory", detail: "5000"))
    assertNo(.unreachable, memory + .level("memory", detail: "64 MiB"))
    assertNo(.unreachable, memory.verb("maxAge", "5 s") + memory)
    assertNo(.unreachable, memory.verb("conditioned") + memory)
    assertNo(.unreachable, (memory + disk).verb("recovering"))
  }
}
