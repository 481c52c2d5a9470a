import XCTest

@testable import StrataCore

final class PromiseRecoverTests: XCTestCase {
  func testAFailureIsReplacedByAValueOrByAnotherPromise() {
    XCTAssertEqual(Promise<Int>(error: Broken.here).recover { _ in 5 }.text, "5")
    XCTAssertEqual(Promise<Int>(error: Broken.here).recover { _ in Promise(6) }.text, "6")
    let failing = Promise<Int>(error: Broken.here).recover { _ -> Int in throw Broken.there }
    XCTAssertEqual(failing.text, "failed: there")
  }

  func testAValueAndACancellationPass() {  // T57
    let journal = Journal<String>()
    for promise in [Promise(1), .cancelled] {
      let recovered = promise.recover { _ -> Int in
        journal.note("recovered")
        return 0
      }
      XCTAssertEqual(recovered.text, promise.text)
    }
    let work = Later<Int>()
    let recovered = work.promise.recover { _ in 0 }
    work.promise.cancel()
    XCTAssertEqual(recovered.text, "cancelled")
    XCTAssertEqual(journal.entries, [])
  }

  func testACancellationReachesTheRecovery() {
    let journal = Journal<String>()
    let (work, rescue) = (Later<Int>("work", in: journal), Later<Int>("rescue", in: journal))
    let recovered = work.promise.recover { _ in rescue.promise }
    work.continuation.fail(Broken.here)
    recovered.cancel()
    XCTAssertEqual(journal.entries, ["rescue stopped"])
  }

  func testAValueThatDoesNotPassFailsWithConditionNotSatisfied() {
    XCTAssertEqual(Promise(1).filter { $0 == 1 }.text, "1")
    XCTAssertEqual(
      Promise(1).filter { $0 == 2 }.outcome?.error as? CacheError, .conditionNotSatisfied)
    XCTAssertEqual(Promise(1).filter { _ -> Bool in throw Broken.here }.text, "failed: here")
  }
}
