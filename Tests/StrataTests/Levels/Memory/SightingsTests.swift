import XCTest

@testable import Strata

final class SightingsTests: XCTestCase {
  func testACountIsHalvedOncePerEpochAndIsGoneAfterFour() {
    let sightings = Sightings(15, 7)
    XCTAssertEqual((7...12).map { sightings.count(at: $0) }, [15, 7, 3, 1, 0, 0])
    XCTAssertEqual(Sightings(6, 7).count(at: 8), 3)
  }

  func testTheEpochMayBeginAnewWhereItsBitsEnd() {
    for epoch: UInt32 in [0xffe, 0xfff, 0x1000, .max - 1, .max] {
      let sightings = Sightings(12, epoch)
      XCTAssertEqual(sightings.count(at: epoch), 12, "\(epoch)")
      XCTAssertEqual(sightings.count(at: epoch &+ 2), 3, "\(epoch)")
    }
  }
}
