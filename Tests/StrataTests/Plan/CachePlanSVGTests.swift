import XCTest

@testable import Strata

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

  func testWhateverIsInAPlanTheDrawingStaysXMLAndInItsWidth() throws {
    let long = String(repeating: "<long & \"wide\">\u{FFFE}\n", count: 50)
    let lanes = CachePlan.lanes(Array(repeating: .level(long, detail: long), count: 7))
    let deep = (0..<300).reduce(lanes) { plan, n in
      .verb(.mappedKeys(plan, types: .init(key: long, value: long)), name: "limited\(n)")
    }
    for plan in [lanes, deep, .lanes([]), .sum([]), .verb(.sum([]), name: long)] {
      let texts = try svgTexts(plan.svg)
      for text in texts.dropFirst(2) { XCTAssertLessThanOrEqual(text.count, 80, text) }
      XCTAssertFalse(plan.tree.isEmpty)
      XCTAssertFalse(plan.mermaid.isEmpty)
    }
  }
}
