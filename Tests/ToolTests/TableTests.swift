import XCTest

@testable import strata_tool

final class TableTests: XCTestCase {
  private let columns: [Table.Column] = [
    .init(title: "#", width: 2, isNumber: true), .init(title: "step", width: 6),
    .init(title: "time", width: 5, isNumber: true),
  ]

  func testColumnsAreAlignedAndNumbersToTheRight() {
    let table = Table(columns: columns, isColoured: false)
    XCTAssertEqual(table.header, " #  step     time")
    XCTAssertEqual(table.row(["1", "get", "3 ms"]), " 1  get      3 ms")
    XCTAssertEqual(table.row(["1", "get"]), " 1  get")
    XCTAssertEqual(table.width, 17)
  }

  func testALongCellIsCut() {
    let table = Table(columns: columns, isColoured: false)
    XCTAssertEqual(table.row(["1", "a longer step", "3 ms"]), " 1  a lon…   3 ms")
  }

  func testColourChangesNoWidth() {
    let plain = Table(columns: columns, isColoured: false)
    let coloured = Table(columns: columns, isColoured: true)
    let cells: [Table.Cell] = ["1", .init("get", .green), .init("3 ms", .red)]
    let text = coloured.row(cells)
    XCTAssertTrue(text.contains("\u{1B}[32mget\u{1B}[0m"))
    XCTAssertEqual(text.replacing(/\u{1B}\[\d+m/, with: ""), plain.row(cells))
    XCTAssertFalse(plain.row(cells).contains("\u{1B}"))
  }

  func testANoteIsBrokenBetweenWordsUnderTheSecondColumn() {
    let table = Table(columns: columns, isColoured: false)
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
    XCTAssertLessThanOrEqual(TourView(steps: Tour.steps, isColoured: true).table.width, 100)
  }

  func testColoursAreForTerminalsOfPeopleWhoWantThem() {
    XCTAssertTrue(Console.showsColours(isTerminal: true, environment: ["TERM": "xterm"]))
    XCTAssertTrue(Console.showsColours(isTerminal: true, environment: ["NO_COLOR": ""]))
    XCTAssertFalse(Console.showsColours(isTerminal: false, environment: [:]))
    XCTAssertFalse(Console.showsColours(isTerminal: true, environment: ["NO_COLOR": "1"]))
    XCTAssertFalse(Console.showsColours(isTerminal: true, environment: ["TERM": "dumb"]))
  }
}
