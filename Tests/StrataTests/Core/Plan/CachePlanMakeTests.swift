import XCTest

@testable import StrataCore
@testable import StrataVerbs

final class CachePlanMakeTests: XCTestCase {
  private let (a, b) = (CachePlan.level("a", .memory), CachePlan.level("b", .origin))
  private let types = CachePlan.Types(key: "Int", value: "Text")

  func testNestedSumsAndEmptyCachesDisappear() {
    let empty = CachePlan.empty
    XCTAssertEqual(CachePlan.sum([.sum([a, empty]), .sum([b])]), .sum([a, b]))
    XCTAssertEqual(CachePlan.sum([a, .sum([b, a])]).children, [a, b, a])
    XCTAssertEqual(CachePlan.sum([empty, .sum([a])]), a)
    XCTAssertEqual(CachePlan.sum([]), empty)
    XCTAssertEqual(CachePlan.sum([.sum([]), empty]), empty)
  }

  func testTheEmptyCacheKeepsItsTypesWhereItIsAlone() {
    let plan = Cache<Int, String>.empty.plan
    XCTAssertEqual(CachePlan.sum([plan, .empty]).types, .init(key: "Int", value: "String"))
  }

  func testOnlyTheEmptyCacheDisappears() {
    let others: [CachePlan] = [
      .level("empty", .storage), .level("empty", .constant, [nil: .count(1)]),
      .verb(.empty, "empty"), .mappedKeys(.empty, label: "empty"),
    ]
    for other in others { XCTAssertEqual(CachePlan.sum([a, other]).children, [a, other]) }
  }

  func testASumAndBranchesHaveTheTypesOfTheFirst() {
    let typed = CachePlan.level("a", .memory, types: types)
    XCTAssertEqual(CachePlan.sum([.branches("switching", [typed, b]), a]).types, types)
    XCTAssertNil(CachePlan.sum([b, typed]).types)
    XCTAssertNil(CachePlan.branches("switching", []).types)
  }

  func testTypesAreAddedWhereTheyAreUnknown() {
    let other = CachePlan.Types(key: "A", value: "B")
    XCTAssertEqual(a.typed(types).types, types)
    XCTAssertEqual(a.typed(types).typed(other).types, types)
    XCTAssertEqual(
      CachePlan.verb(a, "v", [nil: .count(1)]).typed(types).arguments, [nil: .count(1)])
    XCTAssertNil(CachePlan.sum([a, b]).typed(types).types)
  }

  func testOnlyTheIdentityDoesNotDecode() {
    let (memory, codec) = (
      Cache<Int, Int>.memory(), Codec<Int, Int>(decode: { $0 }, encode: { $0 })
    )
    let forms = [
      memory <*> codec, memory <*> .identity, memory <*> .identity >>> .identity,
      memory <*> .identity >>> codec, memory <*> codec.inverse,
      memory <*> Codec<Int, Int>.identity.inverse,
    ].map(\.plan.form)
    XCTAssertEqual(
      forms, [true, false, false, true, true, false].map(CachePlan.Form.mappedValues))
    XCTAssertEqual((memory.fetcher <*> .identity).plan.form, .mappedValues(decodes: false))
    XCTAssertEqual((memory.fetcher <*> codec).plan.form, .mappedValues(decodes: true))
  }
}
