import Foundation
import XCTest

@testable import StrataCore
@testable import StrataVerbs

final class JSONValueTests: XCTestCase {
  func testSubscriptsReachNestedValues() {
    let value: JSONValue = ["a": [1, 2.5, "x", true]]
    XCTAssertEqual(value["a"]?[0]?.integer, 1)
    XCTAssertEqual(value["a"]?[0]?.number, 1)
    XCTAssertEqual(value["a"]?[1]?.number, 2.5)
    XCTAssertEqual(value["a"]?[2]?.string, "x")
    XCTAssertEqual(value["a"]?[3]?.bool, true)
    XCTAssertNil(value["b"] ?? value[0] ?? value["a"]?[4])
    XCTAssertNil(value.bool)
    XCTAssertNil(value.integer)
    XCTAssertNil(value.number)
    XCTAssertNil(value.string)
  }
}
