import XCTest

@testable import StrataCore
@testable import StrataVerbs

final class CanonicalKeyCompositionTests: XCTestCase {
  /// Checks that each scalar that decomposes is composed again, unless Unicode excludes the scalar
  /// from composition.
  func testTheFormIsTheCompositionOfEveryScalar() {
    var composed = 0
    for value in UInt32(0xc0)..<0x2_0000 {
      guard let scalar = Unicode.Scalar(value) else { continue }
      let parts = CanonicalKey.decomposition(of: scalar)
      guard parts != [scalar] else { continue }
      let bytes = CanonicalKey.bytes(of: String(scalar))
      XCTAssertEqual(bytes, CanonicalKey.bytes(of: String(String.UnicodeScalarView(parts))))
      let isComposed = bytes == Array(String(scalar).utf8)
      XCTAssertEqual(
        isComposed, !scalar.properties.isFullCompositionExclusion, String(value, radix: 16))
      if isComposed { composed += 1 }
    }
    XCTAssertGreaterThan(composed, 11_172 + 900)
  }

  func testMarksBetweenTwoScalarsAllowOrBlockTheirComposition() {
    for (key, form) in [
      ("e\u{301}", "\u{e9}"), ("a\u{323}\u{302}", "\u{1ead}"), ("a\u{302}\u{323}", "\u{1ead}"),
      ("a\u{328}\u{301}", "\u{105}\u{301}"), ("a\u{302}\u{302}", "\u{e2}\u{302}"),
      ("a\u{5b0}\u{301}", "\u{e1}\u{5b0}"), ("a\u{305}\u{301}", "a\u{305}\u{301}"),
      ("\u{1100}\u{301}\u{1161}", "\u{1100}\u{301}\u{1161}"),
      ("\u{1100}\u{1161}\u{11a8}\u{11a8}", "\u{ac01}\u{11a8}"), ("\u{301}e", "\u{301}e"),
      ("\u{9c7}\u{9be}", "\u{9cb}"), ("\u{1100}b\u{1161}", "\u{1100}b\u{1161}"), ("日本", "日本"),
    ] {
      XCTAssertEqual(CanonicalKey.bytes(of: key), Array(form.utf8), form)
    }
  }
}
