import XCTest

@testable import StrataDisk

/// Compares the hashes with the examples of FIPS 180-4 and RFC 4231.
final class SHA256Tests: XCTestCase {
  private func text(_ bytes: [UInt8]) -> String {
    bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }

  private func hash(_ message: String) -> String { text(SHA256.hash(Array(message.utf8))) }

  func testTheHashesAreThoseOfTheStandard() {
    XCTAssertEqual(
      hash(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855")
    XCTAssertEqual(
      hash("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
    XCTAssertEqual(
      hash("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
      "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1")
    XCTAssertEqual(
      hash(String(repeating: "a", count: 1000)),
      "41edece42d63e8d9bf515a9ba6932e1c20cbc9f5a5d134645adb5db1b9737ea3")
  }

  func testTheKeyedHashesAreThoseOfTheStandard() {
    let short = SHA256.keyed(
      Array("what do ya want for nothing?".utf8), by: Array("Jefe".utf8))
    XCTAssertEqual(
      text(short), "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843")
    let long = SHA256.keyed(
      Array("Test Using Larger Than Block-Size Key - Hash Key First".utf8),
      by: Array(repeating: 0xaa, count: 131))
    XCTAssertEqual(
      text(long), "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54")
  }

  /// A key as long as a block isn't hashed. The value was computed by Python.
  func testAKeyOfOneBlockIsUsedAsItIs() {
    let keyed = SHA256.keyed(
      Array("Sample message".utf8), by: Array(repeating: 0xaa, count: 64))
    XCTAssertEqual(
      text(keyed), "abba15e1afe25eefd66f78c0ad7d3f8e8e0f08f67e9659ee1ce33059ec3d4071")
  }
}
