import XCTest

@testable import Strata

final class CachePlanTreeTests: XCTestCase {
  private let pages = CachePlan.pages

  func testTheTreeHasANodeALineWithItsTypes() {
    XCTAssertEqual(
      pages.tree,
      """
      sum                   URL → String
      ├─ memory(1000)       URL → String
      └─ pooled()           URL → String
         ├─ <*> utf8        URL → String
         │  └─ keys <^>     URL → Data
         │     └─ memory(9) String → Data
         └─ <*> utf8        URL → String
            └─ fetcher      URL → Data
      """)
  }

  func testTheTreeOfALevelIsALine() {
    XCTAssertEqual(CachePlan.level("mine").tree, "mine")
    XCTAssertEqual(CachePlan.sum([]).tree, "empty")
  }

  func testTheTreeShowsLanesAndVerbsThatAreNew() {
    let plan = CachePlan.verb(
      .lanes([.level("a"), .sum([.level("b"), .level("c")])]), name: "novel", arguments: "2\n3")
    XCTAssertEqual(
      plan.tree,
      """
      novel(2 3)
      └─ switching
         ├─ a
         └─ sum
            ├─ b
            └─ c
      """)
  }
}
