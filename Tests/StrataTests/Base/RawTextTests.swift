import XCTest

@testable import StrataCore
@testable import StrataNetwork
@testable import StrataVerbs

final class RawTextTests: XCTestCase {
  private func text(_ bytes: [UInt8]) -> String { bytes.withUnsafeBytes(RawText.text) }

  /// Law: `bytes(of: text(bytes)) == bytes`.
  func testTextKeepsAllBytes() {
    let scalars: [UInt8] = [0xf4, 0x8f, 0xbe, 0x80]  // U+10FF80, which stands for the byte 0x80.
    let samples: [[UInt8]] = [
      [], [0x41], [0xe9], [0xc3, 0xa9], [0xc3], [0x41, 0xc3, 0x28], [0xff, 0xfe, 0x00],
      [0xed, 0xa0, 0x80], [0xf4, 0x90, 0x80, 0x80], [0xe2, 0x82], [0xe2, 0x82, 0xac, 0xe2, 0x82],
      scalars, scalars + scalars, scalars.dropLast(), [0xf4, 0x8f, 0xbf, 0xbf],
      [0xf4, 0x8f, 0xbd, 0xbf], [0x22, 0xfc, 0x22], [0xc0, 0x80], [0xf0, 0x9f, 0x98, 0x80, 0x80],
    ]
    for bytes in samples {
      XCTAssertEqual(RawText.bytes(of: text(bytes)), bytes, "\(bytes)")
    }
    var random = SystemRandomNumberGenerator()
    for _ in 0..<2000 {
      let alphabet: [UInt8] = [0x20, 0x80, 0x8f, 0xbe, 0xbf, 0xc3, 0xe9, 0xf4, 0xff]
      let bytes = (0..<Int.random(in: 0...12)).map { _ in alphabet.randomElement(using: &random)! }
      XCTAssertEqual(RawText.bytes(of: text(bytes)), bytes, "\(bytes)")
    }
  }

  func testDifferentBytesAreDifferentText() {
    XCTAssertEqual(text([0xc3, 0xa9]), "\u{e9}")
    XCTAssertNotEqual(text([0xe9]), "\u{e9}")
    XCTAssertNotEqual(text([0xf4, 0x8f, 0xbf, 0xa9]), text([0xe9]))
    XCTAssertTrue(HTTPSyntax.same("\u{e9}", "\u{e9}"))
    XCTAssertFalse(HTTPSyntax.same("\u{e9}", "e\u{301}"))
  }

  func testPeopleReadLatin1() {
    XCTAssertEqual(RawText.readable(text([0x4a, 0xfc, 0x72])), "J\u{fc}r")
    XCTAssertEqual(RawText.readable("J\u{fc}r\u{1f600}"), "J\u{fc}r\u{1f600}")
    XCTAssertEqual(HeaderFields.Field(name: "A", value: text([0xfc, 0x20])).text, "\u{fc}")
  }
}
