import XCTest

@testable import StrataLaws

/// Tests the environment variables that set the seed and the number of cases.
final class LawSeedTests: XCTestCase {
  private func seed(_ text: String?) throws -> UInt64? {
    try LawSeed.number("STRATA_SEED", in: 0 ... .max, of: text.map { ["STRATA_SEED": $0] } ?? [:])
  }

  private func cases(_ text: String) throws -> Int? {
    try LawSeed.number("STRATA_CASES", in: 1 ... .max, of: ["STRATA_CASES": text])
  }

  func testASeedIsDecimalOrHexadecimal() throws {
    XCTAssertEqual(try seed("20260622"), 20_260_622)
    XCTAssertEqual(try seed("0x1f"), 31)
    XCTAssertEqual(try seed("0XFFFFFFFFFFFFFFFF"), .max)
    XCTAssertEqual(try seed("18446744073709551615"), .max)
    XCTAssertEqual(try cases("0x10"), 16)
  }

  func testAnAbsentVariableHasNoEffect() throws {
    XCTAssertNil(try seed(nil))
    XCTAssertNil(try seed(""))
    XCTAssertNil(try LawSeed.number("STRATA_CASES", in: 1...9, of: ["STRATA_SEED": "7"]))
  }

  func testAnInvalidNumberIsReportedAndNotIgnored() {
    for text in ["-1", "abc", "1.5", " 7", "0x", "0x-1", "0x+1", "0xg", "18446744073709551616"] {
      XCTAssertThrowsError(try seed(text)) { error in
        XCTAssertEqual(
          "\(error)",
          "STRATA_SEED is \"\(text)\", but must be a number in 0...18446744073709551615, "
            + "decimal or 0x…")
      }
    }
    for text in ["0", "-3", "abc"] { XCTAssertThrowsError(try cases(text)) }
  }
}
