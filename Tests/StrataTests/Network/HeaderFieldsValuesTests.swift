import Strata
import XCTest

final class HeaderFieldsValuesTests: XCTestCase {
  private func elements(_ values: String...) -> [String] {
    HeaderFields(values.map { HeaderFields.Field(name: "List", value: $0) }).elements(of: "list")
  }

  func testElementsOfAllFieldsAreInOrder() {
    XCTAssertEqual(elements("a, b", "c"), ["a", "b", "c"])
    XCTAssertEqual(elements(), [])
  }

  func testEmptyElementsAreDropped() {
    XCTAssertEqual(elements("", " , a ,,\tb\t, "), ["a", "b"])
  }

  func testQuotedStringsHideCommas() {
    XCTAssertEqual(elements("a=\"x, y\", b"), ["a=\"x, y\"", "b"])
    XCTAssertEqual(elements("a=\"x\\\", y\", b"), ["a=\"x\\\", y\"", "b"])
    XCTAssertEqual(elements("a\\, b"), ["a\\", "b"])
  }

  func testAQuotedStringWithoutEndExtendsToTheEndOfItsField() {
    XCTAssertEqual(elements("a=\"x, y", "b"), ["a=\"x, y", "b"])
    XCTAssertEqual(elements("\"a\\"), ["\"a\\"])
  }
}
