import Strata
import StrataMigration
import XCTest

final class PromiseResultTests: XCTestCase {
  private let outcomes: [Promise<Int>.Outcome] = [.success(2), .failure(Broken.here), .cancelled]

  func testAResultBecomesAPromise() {
    let (right, wrong) = (Result<Int, Broken>.success(1), Result<Int, Broken>.failure(.here))
    XCTAssertEqual([Promise(right).text, Promise(wrong).text], ["1", "failed: here"])
    XCTAssertEqual(
      [Promise<Int>.Outcome(right).text, Promise<Int>.Outcome(wrong).text], ["1", "failed: here"])
  }

  func testOutcomesAreMappedAsPromisesAre() {
    for outcome in outcomes {
      let promise = Promise(outcome: outcome)
      XCTAssertEqual(outcome.map { $0 + 1 }.text, promise.map { $0 + 1 }.text)
      XCTAssertEqual(
        outcome.map { _ in throw Broken.there }.text,
        promise.map { _ -> Never in throw Broken.there }.text)
      XCTAssertEqual(
        outcome.flatMap { Promise.Outcome.success("\($0)") }.text,
        promise.flatMap { Promise("\($0)") }.text)
      XCTAssertEqual(outcome.filter { $0 == 2 }.text, promise.filter { $0 == 2 }.text)
      XCTAssertEqual(outcome.filter { $0 == 3 }.text, promise.filter { $0 == 3 }.text)
    }
  }
}
