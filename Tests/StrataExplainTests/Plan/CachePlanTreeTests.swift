import XCTest

@testable import StrataCore
@testable import StrataExplain
@testable import StrataVerbs

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
    XCTAssertEqual(CachePlan.level("mine", .storage).tree, "mine")
    XCTAssertEqual(CachePlan.sum([]).tree, "empty")
  }

  func testTheTreeShowsBranchesAndUnknownVerbs() {
    let plan = CachePlan.verb(
      .branches(
        "switching",
        [
          .level("a", .memory), .sum([.level("b", .storage), .level("c", .origin)]),
        ]), "novel", [nil: .name("2\n3")])
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
