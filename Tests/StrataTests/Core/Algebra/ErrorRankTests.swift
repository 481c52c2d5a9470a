import StrataLaws
import XCTest

@testable import StrataCore

final class ErrorRankTests: XCTestCase {
  private func error(_ level: Int, isMiss: Bool = false) -> String {
    Promise<Int>(error: ScriptError(level: level, key: 0, isMiss: isMiss)).answer
  }

  func testTheMostInformativeErrorWins() {
    let (miss, failure) = (LevelScript.Fault.miss, LevelScript.Fault.failure)
    func answer(_ upper: LevelScript.Fault?, _ lower: LevelScript.Fault?) -> String {
      let upper = ScriptedLevel(0, LevelScript(getFaults: upper.map { [0: $0] } ?? [:]))
      let lower = ScriptedLevel(1, LevelScript(getFaults: lower.map { [0: $0] } ?? [:]))
      return (upper.cache + lower.cache).get(0).answer
    }
    XCTAssertEqual(answer(miss, nil), error(0, isMiss: true))
    XCTAssertEqual(answer(nil, miss), error(1, isMiss: true))
    XCTAssertEqual(answer(miss, miss), error(1, isMiss: true))
    XCTAssertEqual(answer(failure, miss), error(0))
    XCTAssertEqual(answer(miss, failure), error(1))
    XCTAssertEqual(answer(failure, failure), error(1))
  }
}
