import XCTest

@testable import StrataCore
@testable import StrataVerbs

final class PromiseReadyTests: XCTestCase {
  func testAnAvailableAnswerIsStoredInThePromise() {
    let made = Promise<Int> { (continuation: Promise<Int>.Continuation) in continuation.succeed(1) }
    let derived: Promise<Int> = Promise(1).map { $0 + 1 }.flatMap { Promise($0) }
    let failed = Promise<Int>(error: Broken.here)
    let ready: [Promise<Int>] = [
      Promise(1), failed, .cancelled, made, derived, derived.filter { _ in true },
      failed.recover { _ in 1 },
    ]
    for promise in ready {
      guard promise.isReady else { return XCTFail("\(promise) is pending") }
    }
  }

  func testAThrownErrorIsTheFailure() {
    XCTAssertEqual(Promise(catching: { 1 }).text, "1")
    XCTAssertEqual(Promise<Int>(catching: { throw Broken.here }).text, "failed: here")
  }

  func testALaterCheckFindsTheOutcome() {
    let later = Later<Int>()
    var promise = later.promise
    promise.storeOutcome()
    XCTAssertFalse(promise.isReady)
    later.continuation.succeed(1)
    XCTAssertFalse(promise.isReady, "Only `look` should change `isReady`.")
    promise.storeOutcome()
    XCTAssertTrue(promise.isReady)
  }
}
