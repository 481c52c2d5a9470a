import XCTest

@testable import StrataCore
@testable import StrataExplain
@testable import StrataVerbs

final class CachePlanMermaidTests: XCTestCase {
  private let pages = CachePlan.pages

  func testMermaidHasMissesFillsAndSubgraphs() {
    XCTAssertEqual(
      pages.mermaid,
      """
      flowchart TD
        get([get])
        n1["memory<br>holds 1000"]
        subgraph f2["pooled()"]
          n3["memory<br>holds 9"]
          n4["fetcher"]
        end
        get -- "URL → String" --> n1
        n3 -- "miss<br>utf8: Data → String" --> n4
        n4 -. fill .-> n3
        n1 -- "miss" --> n3
        n3 -. fill .-> n1
      """)
  }

  func testTextInMermaidIsEscaped() {
    let plan = CachePlan.verb(.level("a<b>", .memory), "named", [nil: .text("#1")])
    XCTAssert(plan.mermaid.contains("n1[\"a#60;b#62;<br>named(#34;#35;1#34;)\"]"), plan.mermaid)
  }
}
