import Foundation
import XCTest

@testable import StrataCore
@testable import StrataExplain
@testable import StrataVerbs

final class CachePlanJSONTests: XCTestCase {
  private let pages = CachePlan.pages

  func testJSONIsStableAndReadBack() throws {
    let json = """
      {
        "strata": 2,
        "plan": { "sum": [
          { "level": "memory", "stores": true, "isImmediate": true, "key": "URL", \
      "value": "String", "arguments": [{ "count": 1000 }] },
          {
            "verb": "pooled", "key": "URL", "value": "String",
            "of": { "level": "fetcher", "stores": false, "isImmediate": false, "key": "URL", \
      "value": "String" }
          }
        ] }
      }
      """
    let cache: Cache<URL, String> = .memory() + Fetcher(offMainThread: false) { _ in "" }.pooled()
    XCTAssertEqual(cache.plan.json, json)
    XCTAssertEqual(try CachePlan(json: json), cache.plan)
    XCTAssertEqual(try CachePlan(json: pages.json), pages)
  }

  func testAnArgumentMayBeAPlan() throws {
    let json = """
      {
        "strata": 2,
        "plan": {
          "verb": "refreshing", "arguments": [{ "duration": { "seconds": 1, "attoseconds": 500000000000000000 } }, \
      { "label": "from", "plan": { "level": "network", "stores": false, "isImmediate": false } }],
          "of": { "kind": "switching", "branches": [
            { "level": "disk", "stores": true, "isImmediate": false }
          ] }
        }
      }
      """
    let network = CachePlan.level("network", .origin)
    let plan = CachePlan.verb(
      .branches("switching", [.level("disk", .storage)]), "refreshing",
      [nil: .duration(.milliseconds(1_500)), "from": .plan(network)])
    XCTAssertEqual(plan.json, json)
    XCTAssertEqual(try CachePlan(json: json), plan)
  }

  func testTextInJSONIsEscaped() throws {
    let name = "\"a\\b\"\n\t\u{1}\u{7F}é😀"
    let plan = CachePlan.level(CachePlan.Kind(name), .memory, [nil: .text(""), name: .name(name)])
    XCTAssertEqual(try CachePlan(json: plan.json), plan)
  }

  func testExtremeValuesAreReadBack() throws {
    let values: [CachePlan.Value] = [
      .count(.min), .count(.max), .bytes(.max), .fraction(.pi), .fraction(.leastNonzeroMagnitude),
      .fraction(.greatestFiniteMagnitude), .fraction(1), .duration(.seconds(Int64.min)),
      .duration(.seconds(Int64.max)), .date(.init(sinceEpoch: .nanoseconds(Int64.min))),
      .date(.init(sinceEpoch: .nanoseconds(Int64.max))),
    ]
    for value in values {
      let plan = CachePlan.level("shelf", .storage, [nil: value])
      XCTAssertEqual(try CachePlan(json: plan.json), plan)
    }
  }

  func testValuesWithoutAFormInJSONBecomeTheNearestOne() throws {
    func read(_ value: CachePlan.Value) throws -> CachePlan.Value? {
      try CachePlan(json: CachePlan.level("shelf", .storage, [nil: value]).json).arguments[nil]
    }
    XCTAssertEqual(try read(.fraction(-.infinity)), .fraction(-.greatestFiniteMagnitude))
    XCTAssertEqual(
      try read(.duration(.seconds(Int64.max) * 2)), .duration(.seconds(Int64.max)))
  }

  func testANumberThatIsNoneIsWrittenAsZero() throws {
    for number in [Double.nan, -.nan, .signalingNaN] {
      let plan = CachePlan.level("level", .memory, ["fraction": .fraction(number)])
      let read = try CachePlan(json: plan.json)
      XCTAssertEqual(read, .level("level", .memory, ["fraction": .fraction(0)]))
    }
    let limit = CircuitLimit.rate(.nan, of: .min, within: .seconds(Int64.min) * 10)
    let guarded = Fetcher<Int, Int>(offMainThread: false) { $0 }.breakingCircuit(
      after: limit, retryAfter: .seconds(1))
    XCTAssertNoThrow(try CachePlan(json: guarded.plan.json))
  }
}
