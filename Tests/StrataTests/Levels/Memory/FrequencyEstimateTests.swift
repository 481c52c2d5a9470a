import XCTest

@testable import StrataCore

final class FrequencyEstimateTests: XCTestCase {
  func testACountIsHalvedOncePerEpochAndIsZeroAfterFour() {
    let estimate = FrequencyEstimate(15, 7)
    XCTAssertEqual((7...12).map { estimate.count(at: $0) }, [15, 7, 3, 1, 0, 0])
    XCTAssertEqual(FrequencyEstimate(6, 7).count(at: 8), 3)
  }

  func testTheEpochMayWrapAround() {
    for epoch: UInt32 in [0xffe, 0xfff, 0x1000, .max - 1, .max] {
      let estimate = FrequencyEstimate(12, epoch)
      XCTAssertEqual(estimate.count(at: epoch), 12, "\(epoch)")
      XCTAssertEqual(estimate.count(at: epoch &+ 2), 3, "\(epoch)")
    }
  }
}
