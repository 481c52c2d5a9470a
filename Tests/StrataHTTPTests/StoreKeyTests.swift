import XCTest

@testable import StrataCore
@testable import StrataHTTP
@testable import StrataVerbs

final class StoreKeyTests: XCTestCase {
  private func key(_ text: String) -> String { StoreKey.text(URL(string: text)!) }

  func testEquivalentURLsHaveOneKey() {
    for text in ["http://example.com", "HTTP://EXAMPLE.com:80/#top", "http://u:p@example.com/"] {
      XCTAssertEqual(key(text), "http://example.com/", text)
    }
    XCTAssertEqual(key("https://example.com:443/a?b"), "https://example.com/a?b")
  }

  func testOtherURLsHaveOtherKeys() {
    let texts = [
      "http://example.com/", "https://example.com/", "http://example.com:443/",
      "http://example.com/a", "http://example.com/A", "http://example.com/?",
      "http://example.com/?a",
      "http://example.com/%61",
    ]
    XCTAssertEqual(Set(texts.map(key)).count, texts.count)
  }

  func testTheShortWayGivesTheNormalForm() {
    for text in [
      "http://example.com/", "https://a-1.example/b/../c?d=%20e&f", "http://127.0.0.1/a//b",
      "http://example.com/%C3%A4?", "http://localhost:8080/a",
    ] {
      XCTAssertTrue(StoreKey.isNormal(text.utf8), text)
      XCTAssertEqual(StoreKey.normalized(URL(string: text)!), text)
    }
    for text in [
      "http://example.com", "http://Example.com/", "HTTP://example.com/", "http://example.com:80/",
      "http://u@example.com/", "http://a:0/", "http://a:/", "http://a:1:2/", "http://[::1]/",
      "http://example.com/#a", "ftp://example.com/", "http:///", "http://",
    ] { XCTAssertFalse(StoreKey.isNormal(text.utf8), text) }
  }

  func testVariantsDifferByNamesAndValues() {
    let fields: [[SelectingField]] = [
      [], [.init(name: "a", value: nil)], [.init(name: "a", value: "")],
      [.init(name: "a", value: "1")], [.init(name: "b", value: "1")],
    ]
    XCTAssertEqual(Set(fields.map { StoreKey.variant("k", $0) }).count, fields.count)
  }

  func testThePlaceOfAUserContainsTheWholeDigests() {
    let digests = ["AAAA", "BBBB"].map { [SelectingField(name: "cookie", value: $0)] }
    XCTAssertEqual(StoreKey.user("k", digests[0]), "k\nuser cookie:AAAA")
    XCTAssertNotEqual(StoreKey.user("k", digests[0]), StoreKey.user("k", digests[1]))
  }
}
