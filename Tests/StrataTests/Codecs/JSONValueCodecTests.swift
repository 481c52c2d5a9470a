import Foundation
import StrataLaws
import XCTest

@testable import StrataCore
@testable import StrataVerbs

final class JSONValueCodecTests: XCTestCase {
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

  func testScalarsBothWays() {
    let all: [(String, JSONValue)] = [
      ("null", nil), ("true", true), ("false", false), ("0", 0), ("-7", -7), ("1.5", 1.5),
      ("\"é/\"", "é/"), ("[]", []), ("{}", [:]),
      ("9223372036854775807", .integer(.max)), ("-9223372036854775808", .integer(.min)),
    ]
    for (text, value) in all {
      XCTAssertEqual(read(text).value, value)
      XCTAssertEqual(written(value), text)
    }
    XCTAssertEqual(read("9223372036854775808").value, .number(9_223_372_036_854_775_808))
    XCTAssertEqual(read("1E+2").value, .number(100))
    XCTAssertEqual(read("\u{FEFF}1").value, 1)
  }

  func testANumberEqualsTheIntegerOfTheSameValue() {
    let large: [Double] = [
      9_007_199_254_740_992, 1_152_921_504_606_846_976, -123_456_789_012_345_680,
      9_223_372_036_854_774_784,
    ]
    for value in [0, 1, -7, 4_503_599_627_370_496, 1e18, -0.0] + large {
      let coded = codec.encode(.number(value)).flatMap(codec.decode).outcome?.value
      XCTAssertEqual(coded, .number(value))
      XCTAssertEqual(.integer(Int(value)), JSONValue.number(value))
    }
    for value in [1e19, -1e300, 1.5, 9_223_372_036_854_775_808] {
      let coded = codec.encode(.number(value)).flatMap(codec.decode).outcome?.value
      XCTAssertEqual(coded, .number(value))
    }
    XCTAssertNotEqual(JSONValue.integer(.max), .number(9_223_372_036_854_775_808))
    XCTAssertNotEqual(JSONValue.integer(1), .number(1.5))
    XCTAssertNotEqual(JSONValue.integer(1), .bool(true))
  }

  func testEscapes() {
    XCTAssertEqual(read(#""\"\\\/\b\f\n\r\t\u00e9\uD83D\uDE00""#).value, "\"\\/\u{8}\u{c}\n\r\té😀")
    let text = "\"\\\n\u{0}\u{1f}é"
    XCTAssertEqual(written(.string(text)).map { read($0).value }, .string(text))
  }

  func testInvalidJSONFails() {  // T55
    let wrong = [
      "", " ", "tru", "nul", "truer", "01", "1.", ".5", "+1", "-", "1e", "1e400", "NaN",
      "[1 2]", "[", "]", "{", "{\"a\"}", "{\"a\":}", "{a:1}", "\"", "\"\u{1}\"",
      #""\x""#, #""\u12"#, #""\u+123""#, #""\ud800""#, #""\ud800\n""#, "1 2", "[]]",
      "\u{FEFF}", "'a'", "{\"a\":1 \"b\":2}",
    ]
    for text in wrong {
      guard case .undecodable(by: "json", let reason) = read(text).error as? CacheError else {
        XCTFail("\(text): \(read(text))")
        continue
      }
      XCTAssertLessThanOrEqual(reason.unicodeScalars.count, 201)
    }
    XCTAssertNotNil(codec.decode(Data([0x22, 0xFF, 0x22])).outcome?.error)
  }

  func testAnInfiniteNumberIsNotWritten() {
    for value in [Double.infinity, -.infinity, .nan] {
      guard
        case .unencodable? = codec.encode([.number(value)]).outcome?.error as? CacheError
      else { return XCTFail("Encoding \(value) should fail.") }
    }
  }

  func testNestingIsBoundedAndOverflowsNoStack() {
    let ends = onSmallStack { [codec] in
      var ends: [Bool] = []
      for depth in [64, 65, 512, 100_000] {
        let arrays = String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
        let objects =
          String(repeating: "{\"\":", count: depth) + "1"
          + String(repeating: "}", count: depth)
        ends += [arrays, objects].map { codec.decode(Data($0.utf8)).outcome?.value != nil }
      }
      for depth in [64, 65, 600] {
        let array = (0..<depth).reduce(JSONValue.null) { value, _ in [value] }
        let object = (0..<depth).reduce(JSONValue.null) { value, _ in ["": value] }
        ends += [array, object].map { codec.encode($0).outcome?.value != nil }
      }
      return ends
    }
    let isFine = [true, true, false, false]
    XCTAssertEqual(ends, isFine + [false, false, false, false] + isFine + [false, false])
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

  func testADamagedStringAndAHugeNumberAreNamedInTheError() {
    let codec = Codec<Data, JSONValue>.jsonValue
    for (text, fault) in [
      ("[\"\\ud800\"]", "the string isn't valid Unicode"), ("[1e400]", "the number is too large"),
      ("{\"a\": -1e400}", "the number is too large"), ("[01]", "isn't valid JSON"),
      ("1.", "isn't valid JSON"),
    ] {
      let answer = codec.decode(Data(text.utf8)).answer
      XCTAssertTrue(answer.contains("undecodable") && answer.contains(fault), answer)
    }
  }

  func testTheFirstOfEqualNamesWins() {
    let literal: JSONValue = ["a": 1, "a": 2, "é": 3, "e\u{301}": 4]
    XCTAssertEqual(literal, ["a": 1, "é": 3])
    let text = "{\"a\": 1, \"a\": 2, \"é\": 3, \"e\\u0301\": 4}"
    let decoded = Codec<Data, JSONValue>.jsonValue.decode(Data(text.utf8)).outcome?.value
    XCTAssertEqual(decoded, literal)
  }
}
