import XCTest

@testable import StrataCore
@testable import StrataVerbs

final class URLBytesTests: XCTestCase {
  func testEscapesAreReplacedByTheirBytes() {
    XCTAssertEqual(URLBytes.unescaped("%41%fF%".utf8), [0x41, 0xff, 0x25])
    XCTAssertEqual(URLBytes.unescaped("%%41%4".utf8), [0x25, 0x41, 0x25, 0x34])
    XCTAssertTrue(URLBytes.hasValidEscapes(Array("a%41".utf8)))
    for text in ["%", "a%4", "%zz"] {
      XCTAssertFalse(URLBytes.hasValidEscapes(Array(text.utf8)), text)
    }
  }

  /// An escaped text is unchanged when it's escaped again, and has the same bytes.
  func testEscapingKeepsTheBytes() {
    for byte in UInt8.min...UInt8.max where byte != UInt8(ascii: "%") {
      let once = URLBytes.escaped([byte], URLBytes.isOfPath)
      XCTAssertEqual(URLBytes.unescaped(once), [byte])
      XCTAssertEqual(URLBytes.escaped(once, URLBytes.isOfPath), once)
    }
  }
}
