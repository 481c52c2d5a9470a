import XCTest

@testable import Strata

final class PlanPlaceTests: XCTestCase {
  private let memory = CachePlan.level("memory", detail: "10")
  private let network = CachePlan.level("network")

  func testPlacesAreInTheOrderOfTheTextAndKnowTheirPath() {
    let plan = CachePlan.sum([memory, .verb(.sum([.level("disk"), network]), name: "pooled")])
    XCTAssertEqual(plan.places.map(\.path), [[], [0], [1], [1, 0], [1, 0, 0], [1, 0, 1]])
    XCTAssertEqual(plan.levels, ["memory", "disk", "network"])
    XCTAssertEqual(plan.places.filter(\.isPooled).map(\.path), [[1, 0], [1, 0, 0], [1, 0, 1]])
    XCTAssertEqual(
      plan.places.filter(\.isBeneathMemory).map(\.path), [[1], [1, 0], [1, 0, 0], [1, 0, 1]])
  }

  func testLanesAreBesideAndNotBeneathEachOther() {
    XCTAssertFalse(CachePlan.lanes([memory, network]).places.contains(where: \.isBeneathMemory))
  }

  func testTheShortestLifeAroundAPlaceIsItsLife() {
    let inner = CachePlan.verb(memory, name: "maxAge", arguments: "90 s")
    let plan = CachePlan.verb(inner, name: "expiring", arguments: "after: 60 s, jitter: 0.1")
    XCTAssertEqual(plan.places.map(\.lifetime), [nil, .seconds(60), .seconds(60)])
    let shorter = CachePlan.verb(memory, name: "refreshing", arguments: "500 ms, from: network")
    XCTAssertEqual(shorter.places.last?.lifetime, .milliseconds(500))
    let unknown = CachePlan.verb(memory, name: "expiring", arguments: "each")
    XCTAssertEqual(unknown.places.map(\.isLifetimeUnknown), [false, true])
    XCTAssertNil(CachePlan.verb(memory, name: "limited", arguments: "3 s").lifetime)
  }
}
