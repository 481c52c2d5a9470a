import XCTest

@testable import strata_tool

final class ConsoleTests: XCTestCase {
  func testColorsNeedATerminalAndAreOptional() {
    func shows(_ environment: [String: String], isTerminal: Bool = true) -> Bool {
      Console.showsColors(isTerminal: isTerminal, environment: environment)
    }
    XCTAssertTrue(shows([:]))
    XCTAssertTrue(shows(["NO_COLOR": "", "TERM": "xterm"]))
    XCTAssertFalse(shows([:], isTerminal: false))
    XCTAssertFalse(shows(["NO_COLOR": "1"]))
    XCTAssertFalse(shows(["TERM": "dumb"]))
  }

  func testATextIsColoredOnlyWithAColorAndATerminal() {
    XCTAssertEqual("a".colored(.green, if: true), "\u{1B}[32ma\u{1B}[0m")
    XCTAssertEqual("a".colored(.green, if: false), "a")
    XCTAssertEqual("a".colored(nil, if: true), "a")
  }
}
