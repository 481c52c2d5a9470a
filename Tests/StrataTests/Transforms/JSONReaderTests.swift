import Foundation
import XCTest

@testable import Strata

final class JSONReaderTests: JSONValueCase {
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
}
