import Foundation
import XCTest

@testable import Strata

/// How a plan in JSON is read, or refused.
final class PlanNodeTests: XCTestCase {
  func testJSONThatIsNoPlanIsRefusedWithItsReason() {
    let wrong = [
      "": "not JSON", "[1]": "no member \"strata\"", "{ \"plan\": {} }": "no member \"strata\"",
      "{ \"strata\": 1 }": "there is no member \"plan\"",
      "{ \"strata\": 2, \"plan\": { \"level\": \"a\" } }":
        "version 2 of the format is not known here: write it in version 1",
      "{ \"strata\": 0, \"plan\": { \"level\": \"a\" } }":
        "version 0 of the format is not known here",
      "{ \"strata\": 1, \"plan\": { \"sum\": [{ \"tier\": \"a\" }] } }":
        "at plan.sum[0] there is none",
      "{ \"strata\": 1, \"plan\": { \"sum\": 3 } }": "at plan.sum there is no array",
      "{ \"strata\": 1, \"plan\": { \"verb\": \"pooled\" } }": "there is no plan.of",
      "{ \"strata\": 1, \"plan\": { \"verb\": \"pooled\", \"of\": 2 } }":
        "plan.of there is no object",
      "{ \"strata\": 1, \"plan\": { \"level\": 7 } }": "at plan.level there is no text",
      "{ \"strata\": 1, \"plan\": null }": "at plan there is no object",
      String(repeating: "[", count: 100_000): "not JSON, or too deep",
    ]
    for (json, reason) in wrong {
      XCTAssertThrowsError(try CachePlan(json: json), json) { error in
        let text = "\(error)"
        XCTAssert(error is PlanFormatError, text)
        XCTAssert(text.hasPrefix("this is no plan: ") && text.contains(reason), text)
      }
    }
  }

  func testADeepPlanIsReadOrRefusedInTheStackOfASecondaryThread() {
    let outcomes = Journal<String>()
    let thread = Thread {
      for depth in [100, 400, 100_000] {
        let open = String(repeating: "{ \"verb\": \"pooled\", \"of\": ", count: depth)
        let json =
          "{ \"strata\": 1, \"plan\": \(open){ \"level\": \"a\" }"
          + String(repeating: " }", count: depth + 1)
        let plan = try? CachePlan(json: json)
        outcomes.note(plan.map { "\($0.tree.split(separator: "\n").count)" } ?? "refused")
      }
      outcomes.note("done")
    }
    thread.stackSize = 512 << 10
    thread.start()
    while outcomes.entries.last != "done" { sched_yield() }
    XCTAssertEqual(outcomes.entries, ["101", "401", "refused", "done"])
  }
}
