import Foundation
import XCTest

@testable import StrataCore
@testable import StrataVerbs

final class KeyHashStringTests: XCTestCase {
  private let hash = KeyHash(seed: 7)

  func testEqualStringsHashEqualInEveryNormalForm() {
    let base = ["", "a", "Kelvin; `quoted`", "caf\u{E9} au lait, bien s\u{FB}r", "\u{1E9B}\u{323}"]
    for text in base + ["\u{212A}", "5 \u{212A}", "a\u{37E}b", "\u{1FEF}", "\u{AC00}", "\u{212B}"] {
      let forms = [
        text, text.decomposedStringWithCanonicalMapping, text.precomposedStringWithCanonicalMapping,
        String(String.UnicodeScalarView(text.unicodeScalars)), (text as NSString) as String,
      ]
      for form in forms {
        XCTAssertEqual(form, text)
        XCTAssertEqual(hash(form), hash(text), "\(Array(form.unicodeScalars))")
      }
    }
    XCTAssertEqual(hash("\u{212A}\u{37E}\u{1FEF}"), hash("K;`"))
  }

  /// Only U+212A, U+037E, and U+1FEF are outside ASCII but canonically equal to ASCII characters.
  func testEveryCharacterHashesAsItsDecomposition() {
    for value in UInt32(0x80)...0x2FA1D {
      guard let scalar = Unicode.Scalar(value) else { continue }
      let text = String(Character(scalar))
      let other = text.decomposedStringWithCanonicalMapping
      guard
        text.unicodeScalars.count != other.unicodeScalars.count
          || !text.utf8.elementsEqual(other.utf8)
      else { continue }
      guard text == other else { continue }
      if hash(text) != hash(other) { return XCTFail("U+\(String(value, radix: 16))") }
    }
  }

  func testEveryLengthAndEveryPositionMatters() {
    var seen: Set<UInt64> = []
    for length in 0...64 {
      let text = [UInt8](repeating: UInt8(ascii: "a"), count: length)
      seen.insert(hash(String(decoding: text, as: UTF8.self)))
      for place in text.indices {
        var other = text
        other[place] = UInt8(ascii: "b")
        seen.insert(hash(String(decoding: other, as: UTF8.self)))
      }
    }
    XCTAssertEqual(seen.count, 65 + 64 * 65 / 2)
  }

  /// A short string is in two registers, unless it was cut from a longer one in the heap.
  func testAStringInTheHeapHashesAsAShortString() {
    for length in 0...40 {
      let text = String((0..<length).map { Character(Unicode.Scalar(UInt8(33 + $0 * 7 % 90))) })
      var heaped = text + String(repeating: "x", count: 100)
      heaped.removeLast(100)
      XCTAssertEqual(heaped, text)
      XCTAssertEqual(hash(heaped), hash(text), "\(length) bytes")
      XCTAssertNotEqual(hash(text + "!"), hash(text), "\(length) bytes")
    }
  }
}
