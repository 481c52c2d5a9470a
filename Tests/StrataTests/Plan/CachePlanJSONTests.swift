import Foundation
import XCTest

@testable import Strata

final class CachePlanJSONTests: XCTestCase {
  private let pages = CachePlan.pages

  func testJSONIsStableAndReadBack() throws {
    let json = """
      {
        "strata": 1,
        "plan": { "sum": [
          { "level": "memory", "detail": "1000", "key": "URL", "value": "String" },
          {
            "verb": "pooled", "key": "URL", "value": "String",
            "of": { "level": "fetcher", "key": "URL", "value": "String" }
          }
        ] }
      }
      """
    let cache: Cache<URL, String> = .memory() + Fetcher { _ in "" }.pooled()
    XCTAssertEqual(cache.plan.json, json)
    XCTAssertEqual(try CachePlan(json: json), cache.plan)
    XCTAssertEqual(try CachePlan(json: pages.json), pages)
  }

  func testTextInJSONIsEscaped() throws {
    let name = "\"a\\b\"\n\t\u{1}\u{7F}é😀"
    let plan = CachePlan.level(name, detail: "")
    XCTAssertEqual(try CachePlan(json: plan.json), plan)
  }
}
