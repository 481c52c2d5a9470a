import XCTest

@testable import StrataCore
@testable import StrataHTTP
@testable import StrataNetwork
@testable import StrataVerbs

final class VaryTests: XCTestCase {
  private func matches(_ vary: String, _ stored: HeaderFields, _ request: HeaderFields) -> Bool {
    let response = NetworkResponse.cached("max-age=60", ["Vary": vary])
    return Vary.matches(HTTPCachePolicy().stored(response, for: .made(stored)), request)
  }

  func testEqualFieldsMatch() {
    XCTAssertTrue(matches("Foo", ["Foo": "1", "Other": "2"], ["foo": "1", "Other": "3"]))
    XCTAssertFalse(matches("Foo", ["Foo": "1"], ["Foo": "2"]))
    XCTAssertTrue(
      matches("Foo, Bar", ["Foo": "1", "Bar": "abc"], ["Bar": "abc", "Foo": "1"]))
    XCTAssertFalse(
      matches("Foo, Bar, Baz", ["Foo": "1", "Bar": "a", "Baz": "9"], ["Foo": "1", "Bar": "a"]))
  }

  func testAnAbsentFieldMatchesAnAbsentFieldOnly() {
    XCTAssertTrue(matches("Foo, Bar", ["Foo": "1"], ["Foo": "1"]))
    XCTAssertFalse(matches("Foo", [:], ["Foo": "1"]))
    XCTAssertFalse(matches("Foo", ["Foo": "1"], [:]))
    XCTAssertFalse(matches("Foo", ["Foo": ""], [:]))
  }

  /// An origin that forgets a comma means two fields, but the cache can't know which.
  func testAMemberThatIsNoNameNeverMatches() throws {
    for vary in ["Accept-Encoding Accept-Language", "Accept;q=1", "\"Accept\"", "Ärger"] {
      let scene = HTTPScene()
      scene.origin.replies(["Cache-Control": "max-age=60", "Vary": vary])
      XCTAssertEqual(try scene.get(["Accept-Language": "de"]).status.detail, "vary")
      XCTAssertEqual(try scene.get(["Accept-Language": "fr"]).status.kind, .miss, vary)
    }
  }

  func testAStarNeverMatches() { XCTAssertFalse(matches("Foo, *", ["Foo": "1"], ["Foo": "1"])) }

  func testRepeatedFieldsAndSpacesAreNormalized() {
    XCTAssertTrue(matches("Foo", ["Foo": "1, 2"], ["Foo": "1", "foo": "2"]))
    XCTAssertTrue(matches("Foo", ["Foo": "1,2"], ["Foo": " 1, 2 "]))
    XCTAssertFalse(matches("Foo", ["Foo": "1, 2"], ["Foo": "2, 1"]))
    XCTAssertFalse(matches("Foo", ["Foo": "\"a,b\""], ["Foo": "\"a, b\""]))
  }

  func testLanguagesAreNormalized() {
    for same in ["eN, De", " en ,   de", "en;q=1.0, de", "en, de;q=1"] {
      XCTAssertTrue(
        matches("Accept-Language", ["Accept-Language": "en, de"], ["Accept-Language": same]), same)
    }
    for other in ["de", "de, en", "en;q=0.5, de", "en, de, fr"] {
      XCTAssertFalse(
        matches("Accept-Language", ["Accept-Language": "en, de"], ["Accept-Language": other]), other
      )
    }
  }

  func testTheOrderOfEncodingsDoesNotMatter() {
    for same in ["br, gzip", "GZIP, br", "gzip;q=1.0, br", "gzip, br, gzip"] {
      XCTAssertTrue(
        matches("Accept-Encoding", ["Accept-Encoding": "gzip, br"], ["Accept-Encoding": same]), same
      )
    }
  }
}
