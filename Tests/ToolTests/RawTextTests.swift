import XCTest

@testable import strata_tool

final class RawTextTests: XCTestCase {
  func testEveryNameKeepsItsBytes() {
    var names: [[UInt8]] = [
      [], Array("plain".utf8), Array("ä€😀".utf8), [0xE9], [0x63, 0xE9, 0x2E], [0xC3], [0xFF, 0xFE],
      [0xF0, 0x9F, 0x98], Array("\u{10FF90}".utf8), [0xED, 0xA0, 0x80],
    ]
    names += (1...255).map { [UInt8($0), 0x61] }
    for name in names where name != Array("\u{10FF90}".utf8) {
      let text = RawText.text(name.map { CChar(bitPattern: $0) })
      XCTAssertEqual(text.rawBytes.map { UInt8(bitPattern: $0) }, name + [0])
      XCTAssertEqual(text.isUTF8, String(validating: name, as: UTF8.self) != nil)
    }
    XCTAssertEqual(RawText.text([99, CChar(bitPattern: 0xE9)]).printable, "c\\xE9")
  }
}
