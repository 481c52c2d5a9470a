import XCTest

@testable import Strata

final class SpineMappedKeysTests: XCTestCase {
  private let journal = Journal<String>()

  private func mapped(isReadOnly: Bool = false) -> Spine<String, Int> {
    let journal = journal
    let spine = Spine<Int, Int>(
      plan: .level("mine"), isReadOnly: isReadOnly,
      forget: { journal.note("beneath \($0.map { "\($0)" } ?? "all")") })
    return spine.mappingKeys(
      spine.plan, forget: { journal.note("one \($0)") }, reporting: { $0.mapKeys { $0.count } })
  }

  func testOneKeyIsForgottenByItsImageAndAllAsTheyAre() {
    mapped().forget("abc")
    mapped().forget(nil)
    XCTAssertEqual(journal.entries, ["one abc", "beneath all"])
  }

  func testThePlanShowsTheKeysThatGoIn() {
    let plan = mapped().plan
    XCTAssertEqual("\(plan)", "keys <^> mine")
    XCTAssertEqual(plan.types, CachePlan.Types(key: "String", value: "Int"))
    XCTAssertEqual(plan.children.first?.types, CachePlan.Types(key: "Int", value: "Int"))
  }

  func testWhatIsReadOnlyStaysSo() {
    XCTAssertTrue(mapped(isReadOnly: true).isReadOnly)
    XCTAssertFalse(mapped().isReadOnly)
  }
}
