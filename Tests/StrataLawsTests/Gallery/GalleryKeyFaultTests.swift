import Foundation
import Strata
import StrataLaws

/// Checks that the laws catch levels that confuse keys.
final class GalleryKeyFaultTests: FaultCase {
  func testFileNamesWithoutSlashes() {
    for other in [":", "_", "-", "|", "\\", ".", " ", "%2F", ""] {
      expectCaught(
        "a slash as '\(other)'",
        by: .filed { $0.replacingOccurrences(of: "/", with: other) }, as: "level.keys")
    }
  }
  func testFileNamesOfLettersAndDigits() {
    expectCaught(
      "letters", by: .filed { $0.filter { $0.isLetter || $0.isNumber } }, as: "level.keys")
  }
  func testFileSystemsThatIgnoreCase() {
    expectCaught(
      "case", by: .named { (key: String) in key.lowercased() }, as: "level.keys")
  }
  func testKeysInTheWidthOfTheirCompatibilityForm() {
    expectCaught(
      "width", by: .filed { $0.precomposedStringWithCompatibilityMapping }, as: "level.keys")
  }
  func testEqualKeysInDifferentNormalForms() {
    expectCaught("forms", by: .named { (key: String) in Data(key.utf8) }, as: "level.keys")
  }
  func testTrailingSpacesThatDoNotCount() {
    expectCaught(
      "spaces", by: .filed { $0.trimmingCharacters(in: .whitespaces) }, as: "level.keys")
  }
  func testPercentSignsThatAreDecoded() {
    expectCaught("percent", by: .filed { $0.removingPercentEncoding ?? $0 }, as: "level.keys")
  }
  func testNamesThatAreCutOff() {
    for length in [64, 250, 255, 256, 1024, 4096] {
      expectCaught(
        "cut at \(length)", by: .filed { String($0.prefix(length)) }, as: "level.keys")
    }
  }
  func testNamesThatAreCutOffInBytes() {
    expectCaught(
      "255 bytes", by: .named { (key: String) in Data(key.utf8.prefix(255)) },
      as: "level.keys")
  }
  func testStringsThatEndAtNUL() {
    expectCaught(
      "NUL", by: .named { (key: String) in String(key.prefix { $0 != "\0" }) },
      as: "level.keys")
  }
  func testPathsThatAreResolved() {
    expectCaught(
      "paths", by: .named { URL(fileURLWithPath: "/root/" + $0).standardized.path },
      as: "level.keys")
  }
  func testNamesWithoutTheirExtension() {
    expectCaught(
      "extension", by: .named { (key: String) in key.split(separator: ".").first ?? "" },
      as: "level.keys")
  }
  func testHiddenFilesThatLoseTheirDot() {
    expectCaught(
      "dots", by: .named { (key: String) in String(key.drop { $0 == "." }) },
      as: "level.keys")
  }
  func testNumbersInTwoNotations() {
    expectCaught(
      "numbers", by: .named { (key: String) in Double(key).map { "\($0)" } ?? key },
      as: "level.keys")
  }
  func testHashesInsteadOfKeys() {
    expectCaught(
      "hashes",
      by: .named { (key: String) in
        key.unicodeScalars.reduce(Int32(0)) { $0 &* 31 &+ Int32($1.value) }
      },
      as: "level.keys")
  }
  func testCharactersThatAreLostInAnEncoding() {
    expectCaught(
      "ASCII",
      by: .named { (key: String) in String(key.map { $0.isASCII ? $0 : "?" }) },
      as: "level.keys")
  }
  func testInvisibleCharactersThatAreDropped() {
    expectCaught(
      "invisible",
      by: .named { (key: String) in
        String(
          String.UnicodeScalarView(
            key.unicodeScalars.filter { !$0.properties.isDefaultIgnorableCodePoint }))
      },
      as: "level.keys")
  }
  func testQuotesThatAreEscapedOnlyOnce() {
    expectCaught(
      "quotes", by: .filed { $0.replacingOccurrences(of: "''", with: "'") }, as: "level.keys")
  }
  func testANullThatIsRejectedAsAKey() {
    expectCaught("null", by: .filed { $0 == "null" ? "nil" : $0 }, as: "level.keys")
  }
  func testURLsWithoutTheirFragment() {
    expectCaught(
      "fragment",
      by: .named { (url: URL) in url.absoluteString.split(separator: "#").first ?? "" },
      as: "level.keys")
  }
  func testURLsByTheirPath() {
    expectCaught("path", by: .named { (url: URL) in url.path }, as: "level.keys")
  }
  func testNumbersOfThirtyTwoBits() {
    expectCaught(
      "bits", by: .named { (key: Int) in Int32(truncatingIfNeeded: key) }, as: "level.keys")
  }
  func testNumbersThatAreRounded() {
    expectCaught("rounded", by: .named { (key: Int) in Double(key) }, as: "level.keys")
  }
  func testAHashOfTheEndsAndTheLength() {
    expectCaught(
      "ends",
      firstBy: .named { (key: String) in
        Array(key.utf8.prefix(32)) + Array(key.utf8.suffix(32)) + [UInt8(key.utf8.count & 255)]
      }, as: "level.keys")
  }
  func testAHashOfFoundation() {
    expectCaught(
      "hash of Foundation", firstBy: .named { (key: URL) in key.absoluteString.hash },
      as: "level.keys")
  }
  func testNamesInBase64InAStoreThatIgnoresCase() {
    expectCaught(
      "base64",
      firstBy: .named { (key: String) in
        Data(key.precomposedStringWithCanonicalMapping.utf8).base64EncodedString().lowercased()
      }, as: "level.keys")
  }
  func testOtherNamesInBase64InAStoreThatIgnoresCase() {
    expectCaught(
      "base64 of bytes",
      by: .named { (key: Data) in key.base64EncodedString().lowercased() }, as: "level.keys")
    expectCaught(
      "base64 of URLs",
      by: .named { (key: URL) in
        Data("\(key.relativeString) \(key.baseURL?.absoluteString ?? "")".utf8)
          .base64EncodedString().lowercased()
      }, as: "level.keys")
    expectCaught(
      "base64 of UUIDs",
      by: .named { (key: UUID) in
        withUnsafeBytes(of: key.uuid) { Data($0) }.base64EncodedString().lowercased()
      }, as: "level.keys")
  }
  func testNumbersThatPassThroughDouble() {
    expectCaught("double", firstBy: .named { (key: Int) in Double(key) }, as: "level.keys")
  }
  func testARelativeURLWithItsAbsoluteForm() {
    expectCaught("relative", firstBy: .named { (key: URL) in key.absoluteString }, as: "level.keys")
  }
  func testDataWithoutItsTrailingZeros() {
    expectCaught(
      "zeros", firstBy: .named { (key: Data) in key.reversed().drop { $0 == 0 }.map { $0 } },
      as: "level.keys")
  }
}
