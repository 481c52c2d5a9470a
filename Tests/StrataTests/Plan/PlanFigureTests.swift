import XCTest

@testable import Strata

/// What every drawing of a plan is made of.
final class PlanFigureTests: XCTestCase {
  func testTheDrawingShowsHowLongValuesLive() throws {
    let bound = CachePlan.verb(.level("memory"), name: "maxAge", arguments: "5 s")
    let plan = CachePlan.verb(
      .sum([bound, .level("disk", detail: "1 MB")]), name: "expiring", arguments: "after: 60 s")
    let texts = try svgTexts(plan.svg)
    XCTAssert(texts.contains("lives 5 s"), "\(texts)")
    XCTAssert(texts.contains("holds 1 MB, lives 60 s"), "\(texts)")
    XCTAssert(texts.contains("expiring(after: 60 s)"), "\(texts)")
  }

  func testAValueThatFillsNothingIsNotDashed() throws {
    let sources = CachePlan.sum([.level("network"), .level("fetcher")])
    XCTAssertFalse(try svgTexts(sources.svg).contains("fills what is above"))
    XCTAssertFalse(sources.mermaid.contains("fill"))
  }

  func testVerbsOfALevelAreNotesAndOfASumAFrame() {
    let named = CachePlan.verb(.level("memory", detail: "9"), name: "named", arguments: "\"n\"")
    guard case .box("memory", ["holds 9"], ["named(\"n\")"]) = PlanFigure(named).content else {
      return XCTFail("\(PlanFigure(named))")
    }
    let sum = CachePlan.sum([named, .level("network")])
    let pooled = CachePlan.verb(.verb(sum, name: "limited"), name: "pooled")
    guard
      case .frame(["limited()", "pooled()"], isPool: true, let inner) = PlanFigure(pooled).content,
      case .stack(let members) = inner.content
    else { return XCTFail("\(PlanFigure(pooled))") }
    XCTAssertEqual(members.map(\.isSource), [false, true])
  }

  func testNoMoreThanEightFramesAreInEachOther() {
    let deep = (0..<50).reduce(CachePlan.level("memory")) { plan, _ in
      .verb(.mappedKeys(plan), name: "pooled")
    }
    let figure = PlanFigure(deep)
    XCTAssertLessThanOrEqual(figure.depth, 9)
    XCTAssertTrue("\(figure)".contains("deeper than is drawn"))
  }
}
