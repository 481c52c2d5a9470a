import Foundation
import Strata
import StrataLaws
import XCTest

final class CacheLevelsTests: XCTestCase {
  func testLinesAreASum() throws {
    let law = Law("levels.sum", ".levels { a; b } == a + b", "Lines are another spelling of a sum.")
    {
      levels in
      .levels {
        levels[0]
        levels[1]
      }
    } is: {
      $0[0] + $0[1]
    }
    XCTAssertNil(law.violation(cases: 100))
  }

  func testThePlanIsThatOfTheSum() {
    let lines: Cache<URL, String> = .levels {
      .memory()
      \.absoluteString <^> .disk("pages") <*> .utf8
      (.network() <*> .utf8).pooled()
    }
    let sum: Cache<URL, String> =
      .memory() + \.absoluteString <^> .disk("pages") <*> .utf8 + (.network() <*> .utf8).pooled()
    XCTAssertEqual(lines.plan, sum.plan)
  }

  func testALevelMayDependOnACondition() {
    func plan(_ hasDisk: Bool, _ isNear: Bool) -> String {
      Cache<Int, Int>.levels {
        if isNear { Cache.memory(capacity: 1) } else { Cache.memory(capacity: 2) }
        if hasDisk { Cache.dictionary() }
      }.plan.description
    }
    XCTAssertEqual(plan(true, true), "memory(1) + dictionary")
    XCTAssertEqual(plan(false, false), "memory(2)")
  }
}
