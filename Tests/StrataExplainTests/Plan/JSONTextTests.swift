import XCTest

@testable import StrataExplain

final class JSONTextTests: XCTestCase {
  func testShortMembersShareALine() {
    let members: [JSONText.Member] = [("a", "1"), ("b", .string("\"")), ("of", "2"), ("c", "3")]
    XCTAssertEqual(JSONText(row: []).text, "{  }")
    XCTAssertEqual(
      JSONText(row: members).text, #"{ "a": 1, "b": "\"", "of": 2, "c": 3 }"#)
    XCTAssertEqual(
      JSONText(rows: members).text,
      """
      {
        "a": 1, "b": "\\"",
        "of": 2,
        "c": 3
      }
      """)
  }

  func testLongItemsContinueOnTheirLines() {
    let long = JSONText(rows: [("a", "1")])
    XCTAssertEqual(JSONText(["1", long, "2"]).text, "[1, {\n  \"a\": 1\n}, 2]")
    XCTAssertEqual(
      JSONText([("k", "0")], ("l", [long, "2"])).text,
      """
      { "k": 0, "l": [
        {
          "a": 1
        },
        2
      ] }
      """)
  }
}
