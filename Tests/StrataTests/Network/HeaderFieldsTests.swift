import Strata
import XCTest

final class HeaderFieldsTests: XCTestCase {
  func testNamesDontDependOnCase() {
    let fields: HeaderFields = ["ETag": "1"]
    XCTAssertEqual(fields["etag"], "1")
    XCTAssertTrue(fields.contains("ETAG"))
    XCTAssertNil(fields["ETa"])
    XCTAssertNil(fields["ETaG2"])
    XCTAssertEqual(fields, ["etag": "1"])
    XCTAssertNotEqual(fields, ["etag": "2"])
    // The at sign and the backtick aren't letters. The two characters differ only in the bit that
    // distinguishes uppercase letters from lowercase letters.
    XCTAssertFalse((["@": "1"] as HeaderFields).contains("`"))
  }

  func testRepeatedFieldsStayInOrder() {
    var fields: HeaderFields = ["Vary": "a", "Date": "now", "vary": "b, c"]
    fields.append("d", for: "VARY")
    XCTAssertEqual(fields.values(of: "Vary"), ["a", "b, c", "d"])
    XCTAssertEqual(fields["Vary"], "a, b, c, d")
    XCTAssertEqual(fields.map(\.name), ["Vary", "Date", "vary", "VARY"])
  }

  func testCommasDontCombineCookies() {
    let fields: HeaderFields = ["Set-Cookie": "a=1, 2", "set-cookie": "b"]
    XCTAssertEqual(fields["Set-Cookie"], "a=1, 2")
    XCTAssertEqual(fields.values(of: "Set-Cookie"), ["a=1, 2", "b"])
  }

  func testSettingReplacesEveryFieldOfTheName() {
    var fields: HeaderFields = ["A": "1", "B": "2", "a": "3"]
    fields["a"] = "4"
    XCTAssertEqual(fields, ["a": "4", "B": "2"])
    fields["C"] = "5"
    XCTAssertEqual(fields, ["a": "4", "B": "2", "C": "5"])
    fields["b"] = nil
    fields.remove("c")
    XCTAssertEqual(fields, ["a": "4"])
  }

  func testValuesLoseTheBlanksAtTheirEnds() {
    let fields: HeaderFields = ["A": " \t a b\t ", "B": " \t ", "C": ""]
    XCTAssertEqual(fields.map(\.value), ["a b", "", ""])
  }

  func testADictionaryGivesEachOfItsFields() {
    XCTAssertEqual(Set(HeaderFields(["b": "2", "a": "1"]).map(\.name)), ["a", "b"])
    XCTAssertEqual(HeaderFields([HeaderFields.Field(name: "a", value: "1")]), ["A": "1"])
  }
}
