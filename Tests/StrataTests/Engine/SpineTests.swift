import StrataLaws
import XCTest

@testable import Strata

final class SpineTests: XCTestCase {
  func testTheRootOfAPlanHasTheTypesOfItsCache() {
    let spine = Spine<Int, String>(plan: .level("mine"))
    XCTAssertEqual(spine.plan.types, CachePlan.Types(key: "Int", value: "String"))
    let known = CachePlan.Types(key: "A", value: "B")
    XCTAssertEqual(Spine<Int, Int>(plan: .level("mine", types: known)).plan.types, known)
  }

  func testWhatReportsNothingIsNotMadeAnew() {
    let spine = Spine<Int, Int>(plan: .level("mine"))
    XCTAssertNil(spine.reporting { $0 })
  }

  func testAVerbIsPutAroundWhatIsMadeAnew() throws {
    let inner = Cache<Int, Int>.constant(7)
    let spine = Spine<Int, Int>(plan: .level("mine"), reporting: { _ in inner })
    let remade = try XCTUnwrap(spine.reporting { $0 <*> .shifted })
    let reporter = Reporter(
      stage: "", observer: CacheObserver { _ in }, time: TimeSource.manual().time)
    XCTAssertEqual(remade(reporter).get(0).answer, "17")
  }
}
