import XCTest

@testable import strata_tool

final class ConsoleTests: XCTestCase {
  func testColoursAreForTerminalsThatShowThemAndPeopleWhoWantThem() {
    func shows(_ environment: [String: String], isTerminal: Bool = true) -> Bool {
      Console.showsColours(isTerminal: isTerminal, environment: environment)
    }
    XCTAssertTrue(shows([:]))
    XCTAssertTrue(shows(["NO_COLOR": "", "TERM": "xterm"]))
    XCTAssertFalse(shows([:], isTerminal: false))
    XCTAssertFalse(shows(["NO_COLOR": "1"]))
    XCTAssertFalse(shows(["TERM": "dumb"]))
  }

  func testATextIsColouredOnlyIfItIsAskedForAndShown() {
    XCTAssertEqual("a".coloured(.green, if: true), "\u{1B}[32ma\u{1B}[0m")
    XCTAssertEqual("a".coloured(.green, if: false), "a")
    XCTAssertEqual("a".coloured(nil, if: true), "a")
  }
}
