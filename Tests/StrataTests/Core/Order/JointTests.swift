import XCTest

@testable import StrataCore

final class JointTests: XCTestCase {
  func testSettledWritesAreJointSynchronously() {
    XCTAssertTrue(Promise<Void>.joint([]).isReady)
    XCTAssertTrue(Promise<Void>.joint([Promise(), Promise()]).isReady)
  }

  func testItSettlesWhenAllHaveWithTheFirstFailureOfTheList() {
    let writes = (0..<3).map { _ in Later<Void>() }
    let whole = Promise<Void>.joint(writes.map(\.promise))
    writes[2].continuation.fail(Broken.there)
    writes[1].continuation.fail(Broken.here)
    XCTAssertEqual(whole.text, "pending")
    writes[0].continuation.succeed()
    XCTAssertEqual(whole.text, "failed: here")
  }

  func testCancellingItWithdrawsTheInterestInEach() {
    let journal = Journal<String>()
    let (lonely, shared) = (Later<Void>("lonely", in: journal), Later<Void>("shared", in: journal))
    let other = shared.promise.map {}
    Promise<Void>.joint([lonely.promise, shared.promise]).cancel()
    XCTAssertEqual(journal.entries, ["lonely stopped"])
    XCTAssertEqual(other.text, "pending")
  }
}
