import Foundation
import XCTest

@testable import StrataCore
@testable import StrataNetwork

final class URLReferenceTests: XCTestCase {
  private func url(_ text: String, from base: String = "http://a.test/b/c;d?e#f") throws -> String?
  {
    NetworkURL.url(text, relativeTo: try XCTUnwrap(URL(string: base)))?.absoluteString
  }

  /// A character that isn't allowed doesn't change the other escapes of its component.
  func testOnlyForbiddenBytesAreEscaped() throws {
    for (reference, target) in [
      ("/list?filter[name]=J%C3%BCrgen", "/list?filter%5Bname%5D=J%C3%BCrgen"),
      ("/a b/%C3%BC", "/a%20b/%C3%BC"), ("/\u{fc}/%41", "/%C3%BC/%41"),
      ("/\u{10fffc}", "/%FC"), ("/%", "/%25"), ("/%zz%41", "/%25zz%41"), ("/%4", "/%254"),
      ("/{a}|^`\\\"<>", "/%7Ba%7D%7C%5E%60%5C%22%3C%3E"), ("/a?b%2Fc?d/e", "/a?b%2Fc?d/e"),
      ("/a%2fb%2Fc", "/a%2fb%2Fc"), ("/a;b=c,d'(e)*!$&+@:~", "/a;b=c,d'(e)*!$&+@:~"),
    ] {
      XCTAssertEqual(try url(reference), "http://a.test\(target)", reference)
    }
  }

  /// The examples of RFC 3986, section 5.4.
  func testReferencesAreResolvedAsTheStandardSays() throws {
    for (reference, target) in [
      ("g:h", "g:h"), ("g", "http://a/b/c/g"), ("./g", "http://a/b/c/g"),
      ("g/", "http://a/b/c/g/"), ("/g", "http://a/g"), ("//g", "http://g"),
      ("?y", "http://a/b/c/d;p?y"), ("g?y", "http://a/b/c/g?y"), ("#s", "http://a/b/c/d;p?q#s"),
      ("g#s", "http://a/b/c/g#s"), ("g?y#s", "http://a/b/c/g?y#s"), (";x", "http://a/b/c/;x"),
      ("", "http://a/b/c/d;p?q"), (".", "http://a/b/c/"), ("./", "http://a/b/c/"),
      ("..", "http://a/b/"), ("../", "http://a/b/"), ("../g", "http://a/b/g"),
      ("../..", "http://a/"), ("../../g", "http://a/g"), ("../../../g", "http://a/g"),
      ("/./g", "http://a/g"), ("/../g", "http://a/g"), ("g.", "http://a/b/c/g."),
      ("..g", "http://a/b/c/..g"), ("./g/.", "http://a/b/c/g/"), ("g/../h", "http://a/b/c/h"),
      ("g;x=1/../y", "http://a/b/c/y"), ("g?y/../x", "http://a/b/c/g?y/../x"),
    ] {
      XCTAssertEqual(try url(reference, from: "http://a/b/c/d;p?q"), target, reference)
    }
    XCTAssertEqual(try url("g", from: "http://a"), "http://a/g")
    XCTAssertEqual(try url("//b.test:81/x/../y?z"), "http://b.test:81/y?z")
  }

  func testATargetIsThePathAndTheQuery() {
    for (text, target) in [
      ("http://a.test", "/"), ("http://a.test?b", "/?b"), ("http://a.test/c%20d?e#f", "/c%20d?e"),
    ] {
      XCTAssertEqual(URLReference(text).target, target)
    }
  }
}
