import XCTest

@testable import Strata

final class CostTests: XCTestCase {
  func testACostOfPixelsIsFourBytesEach() {
    let cost = Cost<Int>.pixels { (width: $0, height: 2) }
    XCTAssertEqual(cost.of(10), 80)
  }
}
