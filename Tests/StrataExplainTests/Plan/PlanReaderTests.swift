import Foundation
import StrataLaws
import XCTest

@testable import StrataCore
@testable import StrataExplain
@testable import StrataVerbs

/// Tests which JSON the reader accepts as a plan, and which text the reader rejects.
final class PlanReaderTests: XCTestCase {
  func testJSONThatIsNotAPlanIsRejectedWithAReason() {
    let wrong = [
      "": "isn't JSON", "[1]": "the member \"strata\"", "{ \"plan\": {} }": "the member \"strata\"",
      "{ \"strata\": 2 }": "the member \"plan\" is missing",
      "{ \"strata\": 3, \"plan\": { \"level\": \"a\" } }":
        "version 3 of the format is unknown; write the plan in version 2",
      "{ \"strata\": 1, \"plan\": { \"level\": \"a\" } }": "version 1 of the format is unknown",
      "{ \"strata\": 2, \"plan\": null }": "plan must be an object",
      String(repeating: "[", count: 100_000): "isn't JSON, or is nested too deeply",
    ]
    let nodes = [
      "{ \"sum\": [{ \"tier\": \"a\" }] }": "plan.sum[0] needs one of",
      "{ \"sum\": 3 }": "plan.sum must be an array",
      "{ \"verb\": \"pooled\" }": "plan.of is missing",
      "{ \"verb\": \"pooled\", \"of\": 2 }": "plan.of must be an object",
      "{ \"level\": 7, \"stores\": true, \"isImmediate\": true }": "plan.level must be text",
      "{ \"level\": \"a\", \"stores\": true }": "plan needs the members stores and isImmediate",
      "{ \"level\": \"a\", \"stores\": \"yes\" }": "plan.stores must be true or false",
      "{ \"level\": \"a\", \"arguments\": [{ \"plan\": { \"tier\": 1 } }] }":
        "plan.arguments[0].plan needs one of",
    ]
    let arguments = [
      "{ \"count\": \"7\" }": "plan.arguments[0].count must be an integer",
      "{ \"bytes\": 1.5 }": "plan.arguments[0].bytes must be an integer",
      "{ \"fraction\": \"0.1\" }": "plan.arguments[0].fraction must be a number",
      "{ \"duration\": \"60 s\" }": "plan.arguments[0].duration must be an object",
      "{ \"duration\": {} }": "plan.arguments[0].duration.seconds is missing",
      "{ \"label\": \"after\" }": "plan.arguments[0] has no value of a known type",
      "7": "plan.arguments[0] must be an object",
    ]
    for (json, reason) in wrong { assertRejected(json, reason) }
    for (node, reason) in nodes { assertRejected("{ \"strata\": 2, \"plan\": \(node) }", reason) }
    for (argument, reason) in arguments {
      let node =
        "{ \"level\": \"a\", \"stores\": true, \"isImmediate\": true, "
        + "\"arguments\": [\(argument)] }"
      assertRejected("{ \"strata\": 2, \"plan\": \(node) }", reason)
    }
  }

  private func assertRejected(_ json: String, _ reason: String, line: UInt = #line) {
    XCTAssertThrowsError(try CachePlan(json: json), json, line: line) { error in
      let text = "\(error)"
      XCTAssert(error is PlanFormatError, text, line: line)
      XCTAssert(text.hasPrefix("invalid plan: ") && text.contains(reason), text, line: line)
    }
  }

  func testADeepPlanIsReadOrRefusedInTheStackOfASecondaryThread() {
    let outcomes = onSmallStack {
      [100, 400, 100_000].map { depth in
        let open = String(repeating: "{ \"verb\": \"pooled\", \"of\": ", count: depth)
        let level = "{ \"level\": \"a\", \"stores\": true, \"isImmediate\": true }"
        let end = String(repeating: " }", count: depth + 1)
        let plan = try? CachePlan(json: "{ \"strata\": 2, \"plan\": \(open)\(level)\(end)")
        return plan.map { "\($0.tree.split(separator: "\n").count)" } ?? "refused"
      }
    }
    XCTAssertEqual(outcomes, ["101", "401", "refused"])
  }
}
