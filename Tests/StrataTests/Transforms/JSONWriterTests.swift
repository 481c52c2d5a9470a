import XCTest

@testable import Strata

final class JSONWriterTests: JSONValueCase {
  func testAnInfiniteNumberIsNotWritten() {
    for value in [Double.infinity, -.infinity, .nan] {
      XCTAssertEqual(
        codec.encode([.number(value)]).outcome?.error as? CacheError,
        .unencodable(by: "jsonValue", reason: "an infinite number, or none, has no JSON"))
    }
  }

  func testMembersAreSortedByTheirScalars() throws {
    var writer = JSONWriter()
    try writer.write(["b": 1, "a": ["z": nil, "Z": true], "é": 2, "": 0])
    XCTAssertEqual(
      String(decoding: writer.bytes, as: UTF8.self), #"{"":0,"a":{"Z":true,"z":null},"b":1,"é":2}"#)
  }

  func testNestingIsBoundedForObjectsToo() {
    for (depth, isFine) in [(512, true), (513, false)] {
      let deep = (0..<depth).reduce(JSONValue.null) { value, _ in ["": value] }
      XCTAssertEqual(written(deep) != nil, isFine, "\(depth)")
    }
  }
}
