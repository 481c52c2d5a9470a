import Foundation
import XCTest

@testable import Strata

final class JSONValueCodecTests: JSONValueCase {
  func testArraysAndObjectsBothWays() {  // T55
    let value: JSONValue = ["b": [1, 2.5, nil, true, false], "a": ["": "x"], "c": [:], "d": []]
    let text = #"{"a":{"":"x"},"b":[1,2.5,null,true,false],"c":{},"d":[]}"#
    XCTAssertEqual(written(value), text)
    XCTAssertEqual(read(" \n\t\r" + text + " ").value, value)
  }

  func testBareValuesBothWays() {
    let all: [(String, JSONValue)] = [
      ("null", nil), ("true", true), ("false", false), ("0", 0), ("-7", -7), ("1.5", 1.5),
      ("\"é\"", "é"), ("[]", []), ("{}", [:]), ("-0.0", .number(-0.0)), ("1.0", .number(1)),
      ("9223372036854775807", .integer(.max)), ("-9223372036854775808", .integer(.min)),
    ]
    for (text, value) in all {
      XCTAssertEqual(read(text).value, value)
      XCTAssertEqual(written(value), text)
    }
    XCTAssertEqual(read("9223372036854775808").value, .number(9_223_372_036_854_775_808))
    XCTAssertEqual(read("1E+2").value, .number(100))
    XCTAssertEqual(read("-0").value, .number(-0.0))
  }

  func testEscapes() {
    XCTAssertEqual(read(#""\"\\\/\b\f\n\r\t\u00e9\uD83D\uDE00""#).value, "\"\\/\u{8}\u{c}\n\r\té😀")
    XCTAssertEqual(written("\"\\\n\u{0}\u{1f}é"), #""\"\\\u000a\u0000\u001fé""#)
  }

  func testNestingIsBoundedAndOverflowsNoStack() {
    let ends = onSmallStack { [codec] in
      var ends: [Bool] = []
      for depth in [512, 513, 100_000] {
        let arrays = String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
        let objects =
          String(repeating: "{\"\":", count: depth) + "1"
          + String(repeating: "}", count: depth)
        ends += [arrays, objects].map { codec.decode(Data($0.utf8)).outcome?.value != nil }
      }
      let deep = (0..<600).reduce(JSONValue.null) { value, _ in [value] }
      return ends + [codec.encode(deep).outcome?.value != nil]
    }
    XCTAssertEqual(ends, [true, true, false, false, false, false, false])
  }
}
