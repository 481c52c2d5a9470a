import XCTest

@testable import strata_tool

final class ArgumentReaderTests: XCTestCase {
  func testAValueFollowsItsOption() throws {
    var reader = ArgumentReader(["--a", "1", "--b=2", "c", "--d=e=f", "-"])
    XCTAssertEqual(try reader.next(), "--a")
    XCTAssertEqual(try reader.value(after: "--a"), "1")
    XCTAssertEqual(try reader.next(), "--b")
    XCTAssertEqual(try reader.number(after: "--b", in: 1...2), 2)
    XCTAssertEqual(try reader.next(), "c")
    XCTAssertEqual(try reader.next(), "--d")
    XCTAssertEqual(try reader.file(after: "--d"), OutputFile("e=f"))
    XCTAssertEqual(try reader.next(), "-")
    XCTAssertNil(try reader.next())
  }

  func testAnOptionIsNotAValueAndAFlagHasNoValue() throws {
    for arguments in [["--a"], ["--a", "--b"], ["--a="], ["--a", ""]] {
      var reader = ArgumentReader(arguments)
      _ = try reader.next()
      XCTAssertThrowsError(try reader.value(after: "--a"), "\(arguments)") {
        XCTAssertEqual("\($0)", "--a needs a value.")
      }
    }
    var reader = ArgumentReader(["--a=b", "c"])
    _ = try reader.next()
    XCTAssertThrowsError(try reader.next()) { XCTAssertEqual("\($0)", "--a takes no value.") }
  }

  func testAListIsDividedByCommas() throws {
    var reader = ArgumentReader(["disk, memory,,set"])
    XCTAssertEqual(try reader.list(after: "--group"), ["disk", "memory", "", "set"])
  }

  func testANumberIsWholeAndWithinItsBounds() throws {
    for (text, number) in [
      ("1", 1), ("99", 99), ("0", nil), ("100", nil), ("2.5", nil), ("x", nil),
    ] {
      var reader = ArgumentReader([text])
      XCTAssertEqual(try? reader.number(after: "--rounds", in: 1...99), number, text)
    }
  }
}
