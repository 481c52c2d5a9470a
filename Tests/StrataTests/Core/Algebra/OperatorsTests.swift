import StrataLaws
import XCTest

@testable import StrataCore
@testable import StrataVerbs

/// Tests the meaning of operator expressions without parentheses.
final class OperatorsTests: XCTestCase {
  private let (upper, lower) = (
    ScriptedLevel(0, LevelScript(contents: [3: 1])), ScriptedLevel(1, LevelScript())
  )
  private let length: @Sendable (String) -> Int = { $0.count }
  private let double: @Sendable (Int) -> Int = { $0 * 2 }
  private let twice = Codec<Int, Int>(
    label: "twice", decode: { Promise($0 * 2) }, encode: { Promise($0 / 2) })

  func testMapsBindTighterThanASum() {
    let plain = length <^> upper.cache <*> twice + length <^> lower.cache <*> twice
    let full = ((length <^> upper.cache) <*> twice) + ((length <^> lower.cache) <*> twice)
    XCTAssertEqual(plain.plan, full.plan)
    XCTAssertEqual("\(plain.plan)", "keys <^> cache <*> twice + keys <^> cache <*> twice")
  }

  func testKeyMapsAreRightAssociative() {
    let cache = length <^> double <^> ScriptedLevel(0, LevelScript(contents: [6: 1])).cache
    XCTAssertEqual(cache.get("abc").answer, "1", "The key's length should be doubled.")
  }

  func testValueMapsAreLeftAssociative() {
    let cache = upper.cache <*> twice <*> .shifted
    XCTAssertEqual(
      cache.get(3).answer, "12", "The stored value should be doubled before ten is added.")
    XCTAssertEqual(
      (upper.cache <*> twice >>> .shifted).plan.description, "cache <*> twice >>> codec")
  }

  func testEachOperatorIsItsNamedTwin() {
    let twins = [
      ((length <^> upper.cache).plan, upper.cache.mapKeys(length).plan),
      ((upper.cache + lower.cache).plan, upper.cache.backed(by: lower.cache).plan),
    ]
    for (one, other) in twins { XCTAssertEqual(one, other) }
    XCTAssertEqual((upper.cache <*> twice).plan, upper.cache.mapValues(twice).plan)
    XCTAssertEqual((twice >>> .shifted).decode(1).answer, twice.then(.shifted).decode(1).answer)
  }
}
