import XCTest

@testable import StrataCore
@testable import StrataExplain
@testable import StrataVerbs

final class PlanContextTests: XCTestCase {
  private let memory = CachePlan.level("memory", .memory, [nil: .count(10)])
  private let disk = CachePlan.level("disk", .storage)
  private let network = CachePlan.level("network", .origin)

  func testContextsAreInTheOrderOfTheTextAndKnowTheirPath() {
    let plan = CachePlan.sum([memory, .verb(.sum([disk, network]), "pooled")])
    XCTAssertEqual(plan.contexts.map(\.path), [[], [0], [1], [1, 0], [1, 0, 0], [1, 0, 1]])
    XCTAssertEqual(plan.levels, [memory, disk, network])
    XCTAssertEqual(plan.contexts.filter(\.isPooled).map(\.path), [[1, 0], [1, 0, 0], [1, 0, 1]])
    XCTAssertEqual(
      plan.contexts.filter(\.isBelowMemory).map(\.path), [[1], [1, 0], [1, 0, 0], [1, 0, 1]])
  }

  func testTheWorkOfADeepPlanIsLinear() {  // Cubic work would take minutes.
    var plan = network
    for _ in 0..<2000 { plan = .verb(.sum([memory, plan]), "pooled") }
    let contexts = plan.contexts
    XCTAssertEqual(contexts.count, 6001)
    XCTAssertEqual(contexts.filter(\.isBelowMemory).count, 5998)
    XCTAssertFalse(plan.mermaid.isEmpty)
  }

  func testBranchesAreNotBelowEachOther() {
    let plan = CachePlan.branches("switching", [memory, network])
    XCTAssertFalse(plan.contexts.contains(where: \.isBelowMemory))
  }

  func testTheShortestLifetimeAboveANodeIsItsLifetime() {
    let inner = CachePlan.verb(memory, "aged", ["atMost": .duration(.seconds(90))])
    let plan = CachePlan.verb(
      inner, "expiring", ["after": .duration(.seconds(60)), "jitter": .fraction(0.1)])
    XCTAssertEqual(plan.contexts.map(\.lifetime), [nil, .seconds(60), .seconds(60)])
    let shorter = CachePlan.verb(
      memory, "refreshing", [nil: .duration(.milliseconds(500)), "from": .plan(network)])
    XCTAssertEqual(shorter.contexts.last?.lifetime, .milliseconds(500))
    let unknown = CachePlan.verb(memory, "expiring", [nil: .name("each")])
    XCTAssertEqual(unknown.contexts.map(\.isLifetimeUnknown), [false, true])
    XCTAssertNil(CachePlan.verb(memory, "limited", [nil: .duration(.seconds(3))]).lifetime)
  }

  /// The advice doesn't treat names, labels, or texts as lifetimes or capacities, even if they
  /// contain a duration or a size.
  func testOnlyTypedArgumentsCount() {
    let text = CachePlan.verb(memory, "expiring", [nil: .text("after: 60 s")])
    XCTAssertTrue(text.isLifetimeUnknown)
    let keys = CachePlan.mappedKeys(memory, label: "expiring")
    XCTAssertFalse(keys.isLifetimeUnknown)
    XCTAssertNil(CachePlan.level("memory", .memory, [nil: .text("100 MB")]).capacity)
    XCTAssertNil(CachePlan.level("shelf", .storage, ["slots": .count(4)]).capacity)
  }

  /// The advice depends on a level's role, and not on the level's name.
  func testALevelOfAnyNameIsKnownByItsRole() {
    let shelf = CachePlan.level("shelf", .memory, [nil: .count(10)])
    let service = CachePlan.level("service", .origin)
    XCTAssertEqual(CachePlan.sum([shelf, service]).advice.map(\.kind), [.unpooledRemote])
    let pooled = CachePlan.verb(.sum([shelf, service]), "pooled")
    XCTAssertEqual(pooled.advice.map(\.kind), [.pooledMemory])
    let network = CachePlan.level("network", .constant)
    XCTAssertEqual(CachePlan.sum([shelf, network]).advice, [])
  }
}
