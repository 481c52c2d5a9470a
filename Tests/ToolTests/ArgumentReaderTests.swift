import XCTest

@testable import strata_tool

final class ArgumentReaderTests: XCTestCase {
  private func reader(_ arguments: String...) -> ArgumentReader {
    ArgumentReader(arguments, of: "bench")
  }

  func testAValueFollowsItsOptionOrASign() throws {
    var reader = reader("--rounds", "3", "--json=a=b", "file")
    XCTAssertEqual(reader.next(), "--rounds")
    XCTAssertEqual(try reader.value(after: "--rounds"), "3")
    XCTAssertEqual(reader.next(), "--json")
    XCTAssertEqual(try reader.value(after: "--json"), "a=b")
    XCTAssertEqual([reader.next(), reader.next()], ["file", nil])
  }

  func testAnOptionWithoutAValueIsRefused() {
    var (none, empty) = (reader(), reader("--json=", "b"))
    XCTAssertThrowsError(try none.value(after: "--json"))
    XCTAssertEqual(empty.next(), "--json")
    XCTAssertThrowsError(try empty.value(after: "--json"))
  }

  func testAListIsDividedByCommas() throws {
    var reader = reader("disk, memory,,set")
    XCTAssertEqual(try reader.list(after: "--group"), ["disk", "memory", "", "set"])
  }

  func testANumberIsWholeAndWithinItsBounds() throws {
    for (text, number) in [
      ("1", 1), ("99", 99), ("0", nil), ("100", nil), ("2.5", nil), ("x", nil),
    ] {
      var reader = reader(text)
      XCTAssertEqual(try? reader.number(after: "--rounds", in: 1...99), number, text)
    }
  }
}
