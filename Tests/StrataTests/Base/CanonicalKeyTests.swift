import StrataLaws
import XCTest

@testable import StrataCore

final class CanonicalKeyTests: XCTestCase {
  func testEqualStringsAreOneKey() {
    let equal = [
      ("\u{e9}", "e\u{301}"), ("\u{1e69}", "s\u{307}\u{323}"),
      ("\u{ac01}", "\u{1100}\u{1161}\u{11a8}"),
      ("\u{212b}", "\u{c5}"), ("\u{c0}\u{323}", "A\u{323}\u{300}"),
      ("\u{b85c}\u{11aa}", "\u{1105}\u{1169}\u{11aa}"),
      ("a\u{1ada}\u{345}", "a\u{345}\u{1ada}"), ("\u{105c9}", "\u{105d2}\u{307}"),
      ("\u{113c5}", "\u{113c2}\u{113c2}"), ("\u{16d6a}", "\u{16d63}\u{16d67}\u{16d67}"),
    ]
    for (one, other) in equal where one == other {
      XCTAssertEqual(CanonicalKey.bytes(of: one), CanonicalKey.bytes(of: other), one)
    }
  }

  func testUnequalStringsAreTwoKeys() {
    for (one, other) in [
      ("K", "k"), ("ﬁ", "fi"), ("a\u{0}", "a"), ("a\u{301}\u{302}", "a\u{302}\u{301}"),
    ] {
      XCTAssertNotEqual(one, other)
      XCTAssertNotEqual(CanonicalKey.bytes(of: one), CanonicalKey.bytes(of: other))
    }
  }

  /// Compares each random string with two variants. For the first variant, the test swaps the
  /// Unicode scalar at index 0 and the Unicode scalar at a random index. The second variant is the
  /// string's canonical decomposition, which equals the string.
  func testBytesAgreeWithEquality() {
    var random = SeededGenerator(seed: 62)
    let ranges: [ClosedRange<UInt32>] = [
      0x20...0x17f, 0x300...0x36f, 0x1100...0x11ff, 0xac00...0xd7a3, 0x900...0x2fff,
      0x1ab0...0x1aff, 0x1e00...0x1fff, 0x10000...0x1ffff,
    ]
    var equal = 0
    for _ in 0..<5_000 {
      var scalars = (0..<Int.random(in: 1...6, using: &random)).compactMap { _ in
        Unicode.Scalar(UInt32.random(in: ranges.randomElement(using: &random)!, using: &random))
      }
      let one = String(String.UnicodeScalarView(scalars))
      scalars.swapAt(scalars.indices.randomElement(using: &random)!, 0)
      for other in [
        String(String.UnicodeScalarView(scalars)), one.decomposedStringWithCanonicalMapping,
      ] {
        if one == other { equal += 1 }
        XCTAssertEqual(one == other, CanonicalKey.bytes(of: one) == CanonicalKey.bytes(of: other))
      }
    }
    XCTAssertGreaterThan(equal, 1_000)
  }
}
