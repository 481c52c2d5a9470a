import Dispatch
import Strata
import StrataLaws
import XCTest

/// Never more gets than allowed, in the order in which they came.
final class LimitLaws: XCTestCase {
  func testALimitKeepsItsWord() throws { try Laws.check(.limit, cases: Extent.cases(120)) }
}

/// A failure is asked for again, as often and as late as told.
final class RetryLaws: XCTestCase {
  func testRetriesKeepTheirWord() throws { try Laws.check(.retry, cases: Extent.cases(200)) }

  func testABackoffThatIsConstantIsAPause() throws {
    try Laws.check(
      .retry { cache, count, pause, time in
        cache.retrying(
          count, every: .exponential(from: .milliseconds(pause), by: 1).jittered(by: 0), on: time)
      }, cases: Extent.cases(100))
  }
}

/// No get outlasts its time.
final class TimeLimitLaws: XCTestCase {
  func testATimeLimitKeepsItsWord() throws { try Laws.check(.timeLimit, cases: Extent.cases(200)) }
}

/// Failures are answered; hits and cancellations pass.
final class RecoveryLaws: XCTestCase {
  func testFailuresAreAnswered() throws { try Laws.check(.recovery, cases: Extent.cases(120)) }

  func testAPromiseThatIsThereIsTheFunction() throws {
    try Laws.check(
      .recovery { cache, transform in
        cache.recovering { key, error -> Promise<Int> in
          do { return Promise(try transform(key, error)) } catch { return Promise(error: error) }
        }
      }, cases: Extent.cases(60))
  }
}

/// What is dispatched is a level still.
final class DispatchingLaws: XCTestCase {
  func testOperationsOfAKeyKeepTheirOrderOnAnyQueue() throws {
    let serial = DispatchQueue(label: "serial")
    let concurrent = DispatchQueue(label: "concurrent", attributes: .concurrent)
    for queue in [serial, concurrent] {
      try Laws.check(
        .level("dispatched") { Cache<Int, Int>.memory().dispatched(on: queue) },
        cases: Extent.cases(30))
    }
  }
}
