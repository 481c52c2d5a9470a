import Strata
import XCTest

@testable import strata_tool

final class RawTextArgumentsTests: XCTestCase {
  func testEveryNameKeepsItsBytes() {
    var names: [[UInt8]] = [
      [], Array("plain".utf8), Array("ä€😀".utf8), [0xE9], [0x63, 0xE9, 0x2E], [0xC3], [0xFF, 0xFE],
      [0xF0, 0x9F, 0x98], Array("\u{10FF90}".utf8), [0xED, 0xA0, 0x80],
    ]
    names += (1...255).map { [UInt8($0), 0x61] }
    for name in names {
      let text = name.withUnsafeBytes(RawText.text)
      XCTAssertEqual(text.rawBytes.map { UInt8(bitPattern: $0) }, name + [0])
      // The private characters of the escapes are escaped themselves.
      let isPlain = String(validating: name, as: UTF8.self) != nil && name.first != 0xF4
      XCTAssertEqual(text.isUTF8, isPlain, "\(name)")
    }
    XCTAssertEqual(([99, 0xE9] as [UInt8]).withUnsafeBytes(RawText.text).printable, "c\\xE9")
  }
}
