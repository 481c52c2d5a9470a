import XCTest

@testable import Strata

/// What every drawing of a plan is made of.
final class PlanFigureTests: XCTestCase {
  func testTheDrawingShowsHowLongValuesLive() throws {
    let bound = CachePlan.verb(.level("memory"), name: "maxAge", arguments: "5.0 s")
    let plan = CachePlan.verb(
      .sum([bound, .level("disk", detail: "1 MB")]), name: "expiring", arguments: "after: 60.0 s")
    let texts = try svgTexts(plan.svg)
    XCTAssert(texts.contains("lives 5.0 s"), "\(texts)")
    XCTAssert(texts.contains("holds 1 MB, lives 60.0 s"), "\(texts)")
    XCTAssert(texts.contains("expiring(after: 60.0 s)"), "\(texts)")
  }

  func testAValueThatFillsNothingIsNotDashed() throws {
    let sources = CachePlan.sum([.level("network"), .level("fetcher")])
    XCTAssertFalse(try svgTexts(sources.svg).contains("fills what is above"))
    XCTAssertFalse(sources.mermaid.contains("fill"))
  }
}
