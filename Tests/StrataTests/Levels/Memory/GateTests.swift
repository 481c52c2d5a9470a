import Dispatch
import XCTest

@testable import Strata

final class GateTests: XCTestCase {
  func testNobodyElseIsInAndNobodyIsWaitedFor() {
    let gate = Gate(1)
    gate.withState { _ in XCTAssertNil(gate.enterIfFree()) }
    XCTAssertEqual(gate.enterIfFree()?.pointee, 1)
    XCTAssertNil(gate.enterIfFree())
    gate.leave()
    XCTAssertEqual(gate.withState { $0 }, 1)
  }

  /// Half of the threads wait for their turn, and half try until they are in.
  func testCountsOfManyThreadsAreNotLost() {
    let gate = Gate(0)
    DispatchQueue.concurrentPerform(iterations: 8) { thread in
      for _ in 0..<10_000 {
        if thread % 2 == 0, let state = gate.enterIfFree() {
          state.pointee += 1
          gate.leave()
        } else {
          gate.withState { $0 += 1 }
        }
      }
    }
    XCTAssertEqual(gate.withState { $0 }, 80_000)
  }

  func testAStateIsReleasedWithItsGate() {
    final class Token {}
    weak var weakToken: Token?
    do {
      let token = Token()
      weakToken = token
      let gate = Gate(token)
      XCTAssertTrue(gate.withState { $0 === token })
    }
    XCTAssertNil(weakToken)
  }
}
