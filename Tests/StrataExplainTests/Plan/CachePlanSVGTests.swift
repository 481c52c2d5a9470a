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

  /// Each box, text, and arrow of a drawing with the place at which a reader sees it.
  func testEachPartOfADrawingHasItsPlace() throws {
    let types = CachePlan.Types(key: "Path", value: "Data")
    let memory = CachePlan.named(
      .verb(
        .level("memory", .memory, [nil: .count(9)], types: types), "aged",
        ["atMost": .duration(.seconds(5))]), "m")
    let disk = CachePlan.mappedValues(
      .level("disk", .storage, [nil: .bytes(1_000_000)], types: types), label: "json")
    let branches = CachePlan.branches(
      "switching",
      [
        .level("network", .origin, types: types),
        .mappedKeys(.level("other", .origin, types: types), label: "path"),
      ])
    let lower = CachePlan.verb(
      .mappedKeys(.sum([disk, branches]), label: "url", types: .init(key: "URL", value: "Data")),
      "pooled")
    XCTAssertEqual(
      try svgShapes(CachePlan.sum([memory, lower]).svg),
      """
      svg 600 424
      rect 100% 100% ground
      rect 16 12 568 64 6 box
      rect 16 12 5 64 2 memory
      text 32 32 title: memory
      text 572 32 quiet end: holds 9, lives 5 s
      text 32 50 quiet: aged(atMost: 5 s)
      text 32 67 quiet: named("m")
      line 30 78 30 96 arrow
      polygon 30,102 26,96 34,96 head
      line 570 102 570 84 arrow fill
      polygon 570,78 566,84 574,84 head
      text 42 94 word: on a miss
      text 558 94 word end: fills what is above
      rect 16 104 568 304 8 pool
      text 28 122 pooled: pooled()
      line 42 132 42 150 arrow
      polygon 42,156 38,150 46,150 head
      line 558 156 558 138 arrow
      polygon 558,132 554,138 562,138 head
      text 54 148: url
      rect 28 158 544 238 8 frame
      line 54 170 54 188 arrow
      polygon 54,194 50,188 58,188 head
      line 546 194 546 176 arrow
      polygon 546,170 542,176 550,176 head
      text 534 186 end: json
      rect 40 196 520 30 6 box
      rect 40 196 5 30 2 disk
      text 56 216 title: disk
      text 548 216 quiet end: holds 1 MB
      line 54 228 54 262 arrow
      polygon 54,268 50,262 58,262 head
      line 546 268 546 234 arrow fill
      polygon 546,228 542,234 550,234 head
      text 66 244 word: on a miss
      text 66 260: Path
      text 534 244 word end: fills what is above
      text 534 260 end: Data
      rect 40 270 520 114 8 frame
      text 52 288 quiet: switching
      text 52 308 word: branch 1
      rect 52 314 242 30 6 box
      rect 52 314 5 30 2 network
      text 68 334 title: network
      text 306 308 word: branch 2
      line 320 316 320 334 arrow
      polygon 320,340 316,334 324,334 head
      line 534 340 534 322 arrow
      polygon 534,316 530,322 538,322 head
      text 332 332: path
      rect 306 342 242 30 6 box
      rect 306 342 5 30 2 network
      text 322 362 title: other
      """)
  }

  func testThreeBranchesAreDrawnBelowEachOther() throws {
    let levels = ["a", "b", "c"].map { CachePlan.level(CachePlan.Kind($0), .origin) }
    XCTAssertEqual(
      try svgShapes(CachePlan.branches("switching", levels).svg),
      """
      svg 600 234
      rect 100% 100% ground
      rect 16 12 568 206 8 frame
      text 28 30 quiet: switching
      text 28 50 word: branch 1
      rect 28 56 544 30 6 box
      rect 28 56 5 30 2 network
      text 44 76 title: a
      text 28 106 word: branch 2
      rect 28 112 544 30 6 box
      rect 28 112 5 30 2 network
      text 44 132 title: b
      text 28 162 word: branch 3
      rect 28 168 544 30 6 box
      rect 28 168 5 30 2 network
      text 44 188 title: c
      """)
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
