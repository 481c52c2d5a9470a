import XCTest

@testable import StrataCore
@testable import StrataExplain
@testable import StrataVerbs

final class CachePlanSVGTests: XCTestCase {
  private let pages = CachePlan.pages

  func testTheDrawingIsXMLAndShowsLevelsBoundsTypesAndPools() throws {
    let texts = try svgTexts(pages.svg)
    for text in [
      "memory", "holds 1000", "holds 9", "fetcher", "pooled()", "URL", "String",
      "keys: URL → String", "utf8: Data → String", "on a miss", "fills what is above",
    ] {
      XCTAssert(texts.contains(text), "\(text) in \(texts)")
    }
    XCTAssert(pages.svg.contains("prefers-color-scheme: dark"))
    XCTAssert(pages.svg.contains("width=\"600\""))
  }

  func testADrawingOfAnyPlanIsXMLAndFitsItsWidth() throws {
    let long = String(repeating: "<long & \"wide\">\u{FFFE}\n", count: 50)
    let branches = CachePlan.branches(
      "switching",
      Array(
        repeating: .level(CachePlan.Kind(long), .storage, [nil: .text(long)]), count: 7))
    let deep = (0..<300).reduce(branches) { plan, n in
      .verb(
        .mappedKeys(plan, types: .init(key: long, value: long)), CachePlan.Kind("limited\(n)"))
    }
    let odd = [
      CachePlan.branches("switching", []), .sum([]), .verb(.sum([]), CachePlan.Kind(long)),
    ]
    for plan in [branches, deep] + odd {
      let texts = try svgTexts(plan.svg)
      for text in texts.dropFirst(2) { XCTAssertLessThanOrEqual(text.count, 80, text) }
      XCTAssertFalse(plan.tree.isEmpty)
      XCTAssertFalse(plan.mermaid.isEmpty)
    }
  }
}
