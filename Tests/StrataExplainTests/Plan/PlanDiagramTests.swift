import XCTest

@testable import StrataCore
@testable import StrataExplain
@testable import StrataVerbs

/// Tests the boxes and frames in the diagram of a plan.
final class PlanDiagramTests: XCTestCase {
  func testTheDrawingShowsHowLongValuesLive() throws {
    let bound = CachePlan.verb(
      .level("memory", .memory), "aged", ["atMost": .duration(.seconds(5))])
    let plan = CachePlan.verb(
      .sum([bound, .level("disk", .storage, [nil: .bytes(1_000_000)])]), "expiring",
      ["after": .duration(.seconds(60))])
    let texts = try svgTexts(plan.svg)
    XCTAssert(texts.contains("lives 5 s"), "\(texts)")
    XCTAssert(texts.contains("holds 1 MB, lives 60 s"), "\(texts)")
    XCTAssert(texts.contains("expiring(after: 60 s)"), "\(texts)")
  }

  func testAValueThatFillsNothingIsNotDashed() throws {
    let sources = CachePlan.sum([.level("network", .origin), .level("fetcher", .origin)])
    XCTAssertFalse(try svgTexts(sources.svg).contains("fills what is above"))
    XCTAssertFalse(sources.mermaid.contains("fill"))
  }

  func testVerbsOfALevelAreNotesAndOfASumAFrame() {
    let named = CachePlan.verb(
      .level("memory", .memory, [nil: .count(9)]), "named", [nil: .text("n")])
    guard
      case .box("memory", .some(.memory), ["holds 9"], ["named(\"n\")"]) =
        PlanDiagram(named).content
    else {
      return XCTFail("\(PlanDiagram(named))")
    }
    let sum = CachePlan.sum([named, .level("network", .origin)])
    let pooled = CachePlan.verb(.verb(sum, "limited"), "pooled")
    guard
      case .frame(["limited()", "pooled()"], isPool: true, let inner) = PlanDiagram(pooled).content,
      case .stack(let members) = inner.content
    else { return XCTFail("\(PlanDiagram(pooled))") }
    XCTAssertEqual(members.map(\.isSource), [false, true])
  }

  func testEightFramesInEachOtherAreDrawn() throws {
    func texts(_ frames: Int) throws -> [String] {
      let plan = (0..<frames).reduce(CachePlan.level("memory", .memory)) { plan, _ in
        .verb(.mappedKeys(plan), "pooled")
      }
      return try svgTexts(plan.svg)
    }
    for (frames, isWhole) in [(1, true), (8, true), (9, false), (16, false)] {
      let texts = try texts(frames)
      XCTAssertEqual(texts.contains("memory"), isWhole, "\(frames)")
      XCTAssertEqual(texts.contains("deeper levels are omitted"), !isWhole, "\(frames)")
    }
    XCTAssertEqual(try texts(8).count { $0 == "pooled()" }, 8)
    XCTAssertEqual(try texts(16).count { $0 == "pooled()" }, 8)
  }

  func testNoMoreThanEightFramesAreInEachOther() {
    let deep = (0..<50).reduce(CachePlan.level("memory", .memory)) { plan, _ in
      .verb(.mappedKeys(plan), "pooled")
    }
    let diagram = PlanDiagram(deep)
    XCTAssertLessThanOrEqual(diagram.depth, 9)
    XCTAssertTrue("\(diagram)".contains("deeper levels are omitted"))
  }
}
