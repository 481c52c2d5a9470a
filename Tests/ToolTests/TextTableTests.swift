import XCTest

@testable import strata_tool

final class TextTableTests: XCTestCase {
  private let columns: [TextTable.Column] = [
    .init(title: "#", width: 2, isNumber: true), .init(title: "step", width: 6),
    .init(title: "time", width: 5, isNumber: true),
  ]

  func testColumnsAreAlignedAndNumbersToTheRight() {
    let table = TextTable(columns: columns, isColored: false)
    XCTAssertEqual(table.header, " #  step     time")
    XCTAssertEqual(table.row(["1", "get", "3 ms"]), " 1  get      3 ms")
    XCTAssertEqual(table.row(["1", "get"]), " 1  get")
    XCTAssertEqual(table.width, 17)
  }

  func testALongCellIsCut() {
    let table = TextTable(columns: columns, isColored: false)
    XCTAssertEqual(table.row(["1", "a longer step", "3 ms"]), " 1  a lon…   3 ms")
  }

  func testColorChangesNoWidth() {
    let plain = TextTable(columns: columns, isColored: false)
    let colored = TextTable(columns: columns, isColored: true)
    let cells: [TextTable.Cell] = ["1", .init("get", .green), .init("3 ms", .red)]
    let text = colored.row(cells)
    XCTAssertTrue(text.contains("\u{1B}[32mget\u{1B}[0m"))
    XCTAssertEqual(text.replacing(/\u{1B}\[\d+m/, with: ""), plain.row(cells))
    XCTAssertFalse(plain.row(cells).contains("\u{1B}"))
  }

  func testANoteIsBrokenBetweenWordsUnderTheSecondColumn() {
    let table = TextTable(columns: columns, isColored: false)
    XCTAssertEqual(
      table.note("one two three\nfour five \(String(repeating: "x", count: 25))"),
      """
          one two three four
          five
          xxxxxxxxxxxxxxxxxxxx
          xxxxx
      """)
  }

  func testTheTourFitsAHundredColumns() {
    XCTAssertLessThanOrEqual(TourView(steps: Tour.steps, isColored: true).table.width, 100)
  }

  func testColorsAreOptional() {
    XCTAssertTrue(Console.showsColors(isTerminal: true, environment: ["TERM": "xterm"]))
    XCTAssertTrue(Console.showsColors(isTerminal: true, environment: ["NO_COLOR": ""]))
    XCTAssertFalse(Console.showsColors(isTerminal: false, environment: [:]))
    XCTAssertFalse(Console.showsColors(isTerminal: true, environment: ["NO_COLOR": "1"]))
    XCTAssertFalse(Console.showsColors(isTerminal: true, environment: ["TERM": "dumb"]))
  }
}
