import Foundation
import XCTest

@testable import StrataCore
@testable import StrataVerbs

final class CachePlanTests: XCTestCase {
  private let memory = Cache<Int, Int>.memory()
  private let fetcher = Fetcher<Int, Int>(offMainThread: false) { $0 }
  private let codec = Codec<Int, Int>.identity

  func testTheHeadlineReadsAsItIsWritten() {
    let keys: @Sendable (Int) -> String = { "\($0)" }
    let cache =
      .memory()
      + (keys <^> Cache<String, Data>.memory(capacity: .bytes(100_000_000)) <*> .json()
      + Fetcher<Int, Data>(offMainThread: false) { _ in throw CacheError.notFound } <*> .json())
      .pooled()
      as Cache<Int, [String]>
    XCTAssertEqual(
      cache.plan.description,
      "memory(1000) + (keys <^> memory(100 MB) <*> json + fetcher <*> json).pooled()")
  }

  func testParenthesesAppearOnlyWhereTheOperatorsNeedThem() {
    let key: @Sendable (Int) -> Int = { $0 }
    let plans = [
      (key <^> (memory + fetcher)).plan, (key <^> memory + fetcher).plan,
      (key <^> (memory <*> codec)).plan, ((key <^> memory) <*> codec).plan,
      (memory + (memory + fetcher).pooled()).plan, ((memory <*> codec).pooled()).plan,
      (memory <*> codec >>> codec).plan, (key <^> key <^> memory).plan,
    ]
    XCTAssertEqual(
      plans.map(\.description),
      [
        "keys <^> (memory(1000) + fetcher)", "keys <^> memory(1000) + fetcher",
        "keys <^> (memory(1000) <*> identity)", "keys <^> memory(1000) <*> identity",
        "memory(1000) + (memory(1000) + fetcher).pooled()",
        "(memory(1000) <*> identity).pooled()",
        "memory(1000) <*> identity >>> identity", "keys <^> keys <^> memory(1000)",
      ])
  }

  func testParenthesesDoNotChangeThePlan() {
    let left = (memory + memory) + fetcher
    let right = memory + (memory + fetcher)
    XCTAssertEqual(left.plan, right.plan)
    XCTAssertEqual(left.plan.description, "memory(1000) + memory(1000) + fetcher")
    XCTAssertEqual((memory + (memory + fetcher).fetcher).plan, left.plan)
  }

  func testTheEmptyCacheDisappearsInASum() {
    XCTAssertEqual((.empty + memory + .empty).plan, memory.plan)
    XCTAssertEqual(Cache<Int, Int>.empty.plan.description, "empty")
  }

  func testVerbsPrintAsCalls() {
    XCTAssertEqual(memory.named("near").plan.description, "memory(1000).named(\"near\")")
    XCTAssertEqual(memory.observed { _ in }.plan.description, "memory(1000).observed()")
    XCTAssertEqual(fetcher.pooled().plan.description, "fetcher.pooled()")
  }
}
