import Foundation
import XCTest

@testable import StrataCore
@testable import StrataNetwork

final class PlainURLTests: XCTestCase {
  private func isPlain(_ text: String) -> Bool {
    var text = text
    return text.withUTF8 { PlainURL.matches($0) }
  }

  func testMostURLsNeedNoChange() {
    for text in [
      "http://a.test", "http://a.test/", "https://a.test/b/c.json", "http://127.0.0.1:8080/x",
      "https://a.test/%20?q=%C3%A9&r=a/b?c", "http://a.test?q", "https://a-b.test:65535/;x=1,2",
      "http://a.test/a//b/../c@d:e",
    ] {
      XCTAssertTrue(isPlain(text), text)
    }
  }

  func testAURLThatMustBeCheckedOrChangedIsNotPlain() {
    for text in [
      "", "http:", "http://", "http:///x", "HTTP://a.test/", "ftp://a.test/", "httpx://a.test/",
      "http://u@a.test/", "http://u:p@a.test/", "http://a.test/#f", "http://[::1]/",
      "http://a.test:/", "http://a.test:0/", "http://a.test:65536/", "http://a.test:100000000/",
      "http://a.test:8x/", "http://a%41/", "http://\u{e9}.test/", "http://a.test/\u{e9}",
      "http://a.test/%", "http://a.test/%2", "http://a.test/%zz", "http://a.test/ b",
      "http://a.test/?a b", "http://a.test/|", "http://a.test/\n", "http://a.test/\0", "//a.test/",
    ] {
      XCTAssertFalse(isPlain(text), text)
    }
  }

  /// A plain URL skips the parser, so the parser must leave it as it is.
  func testTheParserLeavesAPlainURLAsItIs() throws {
    var random = SystemRandomNumberGenerator()
    let pieces = ["http", "s", "://", "a", ".test", ":", "80", "/", "?", "%2f", "%", "@", "#", "~"]
    var plain = 0
    for _ in 0..<20_000 {
      let rest = (0..<5).map { _ in pieces.randomElement(using: &random) ?? "" }.joined()
      let text = "http://a\(rest)"
      guard isPlain(text) else { continue }
      plain += 1
      let url = try XCTUnwrap(URL(string: text, encodingInvalidCharacters: false), text)
      XCTAssertTrue(NetworkURL.isPlain(url), text)
      let checked = try NetworkURL.checked(URLReference(url))
      XCTAssertEqual(checked.absoluteString, text)
      XCTAssertEqual(NetworkURL.withoutCredentials(checked).absoluteString, text)
      XCTAssertNil(NetworkURL.basicAuthorization(checked), text)
    }
    XCTAssertGreaterThan(plain, 100)
  }
}
