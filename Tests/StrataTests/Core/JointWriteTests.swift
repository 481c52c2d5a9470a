import XCTest

@testable import Strata

final class JointWriteTests: XCTestCase {
  private typealias Outcome = Promise<Void>.Outcome

  /// Returns the result of a write to three levels. The outcomes of the levels arrive in the given
  /// order.
  private func end(_ outcomes: [(level: Int, Outcome)]) -> String {
    let write = JointWrite(of: 3)
    for (place, (level, outcome)) in outcomes.enumerated() {
      XCTAssertEqual(
        write.record(outcome, of: level), place == 2, "Only the last outcome should end the write.")
    }
    XCTAssertEqual(write.promise.text, "pending")
    write.settle()
    return write.promise.text
  }

  func testItSucceedsWhenAllHave() {
    XCTAssertEqual(end([(1, .success(())), (0, .success(())), (2, .success(()))]), "()")
  }

  func testTheUppermostFailureWinsInAnyOrder() {
    let (here, there) = (Outcome.failure(Broken.here), Outcome.failure(Broken.there))
    XCTAssertEqual(end([(2, there), (1, here), (0, .success(()))]), "failed: here")
    XCTAssertEqual(end([(1, here), (2, there), (0, .success(()))]), "failed: here")
  }

  func testAFailureOutranksACancellation() {
    let here = Outcome.failure(Broken.here)
    XCTAssertEqual(end([(0, .cancelled), (2, here), (1, .success(()))]), "failed: here")
    XCTAssertEqual(end([(0, .success(())), (2, .cancelled), (1, .success(()))]), "cancelled")
  }

  func testCancellingTheJointPromiseStopsNothing() {
    let write = JointWrite(of: 1)
    write.promise.cancel()
    XCTAssertTrue(write.record(.success(()), of: 0))
  }
}
