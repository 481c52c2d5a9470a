import Foundation
import XCTest

@testable import Strata

final class JSONValueTests: XCTestCase {
  private let codec: Codec<Data, JSONValue> = .jsonValue

  private func read(_ text: String) -> Promise<JSONValue>.Outcome {
    codec.decode(Data(text.utf8)).outcome!
  }

  private func written(_ value: JSONValue) -> String? {
    codec.encode(value).outcome?.value.map { String(decoding: $0, as: UTF8.self) }
  }

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

  func testWhatIsNotJSONFailsWithWhatStandsThere() {  // T55
    let wrong = [
      "", " ", "tru", "nul", "truer", "01", "1.", ".5", "+1", "-", "1e", "1e400", "NaN", "[1,]",
      "[1 2]", "[", "]", "{", "{\"a\"}", "{\"a\":}", "{\"a\":1,}", "{a:1}", "\"", "\"\u{1}\"",
      #""\x""#, #""\u12"#, #""\u+123""#, #""\ud800""#, #""\ud800\n""#, #""\udc00""#, "1 2", "[]]",
      "\u{FEFF}", "'a'", "{\"a\":1 \"b\":2}",
    ]
    for text in wrong {
      guard case .undecodable(by: "jsonValue", let reason) = read(text).error as? CacheError else {
        XCTFail("\(text): \(read(text))")
        continue
      }
      XCTAssertLessThanOrEqual(reason.unicodeScalars.count, 201)
    }
    XCTAssertEqual(read("\u{FEFF}1").value, 1)
    XCTAssertEqual(
      read("[1, oops]").error as? CacheError,
      .undecodable(by: "jsonValue", reason: "unexpected at byte 4 of 9: \"oops]\""))
    XCTAssertNotNil(codec.decode(Data([0x22, 0xFF, 0x22])).outcome?.error)
  }

  func testAnInfiniteNumberIsNotWritten() {
    for value in [Double.infinity, -.infinity, .nan] {
      XCTAssertEqual(
        codec.encode([.number(value)]).outcome?.error as? CacheError,
        .unencodable(by: "jsonValue", reason: "an infinite number, or none, has no JSON"))
    }
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

  func testDataAtRandomIsNeverACrash() {
    var random = Xorshift(state: 7)
    let seed = Array(#"{"a":[1,-2.5e3,"x\u00e9\ud83d\ude00",null,true,{}],"b":"é"}"#.utf8)
    for _ in 0..<4_000 {
      var bytes = seed
      for _ in 0...Int(random.next() % 4) {
        bytes[Int(random.next() % UInt64(bytes.count))] = UInt8(truncatingIfNeeded: random.next())
      }
      bytes = Array(bytes.prefix(Int(random.next() % UInt64(bytes.count + 1))))
      if let value = codec.decode(Data(bytes)).outcome?.value {
        XCTAssertEqual(codec.encode(value).flatMap(codec.decode).outcome?.value, value)
      }
    }
  }

  func testALongArrayIsReadInLinearTime() {
    let text = "[" + Array(repeating: "[1,2]", count: 50_000).joined(separator: ",") + "]"
    guard case .array(let values)? = read(text).value else { return XCTFail("not an array") }
    XCTAssertEqual(values.count, 50_000)
  }

  func testPartsAreReached() {
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

/// Numbers that are the same each time.
struct Xorshift {
  var state: UInt64

  mutating func next() -> UInt64 {
    state ^= state << 13
    state ^= state >> 7
    state ^= state << 17
    return state
  }
}
