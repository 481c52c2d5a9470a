import Foundation
import XCTest

@testable import StrataCore
@testable import StrataNetwork

final class URLAuthorityTests: XCTestCase {
  private func fault(_ text: String) -> String? {
    do {
      _ = try NetworkURL.checked(URLReference(text))
      return nil
    } catch {
      return NetworkError(error, url: nil).description
    }
  }

  func testAnInternationalizedHostIsConvertedToPunycode() throws {
    for text in [
      "http://b\u{fc}cher.example:81/x", "http://b%C3%BCcher.example:81/x",
      "http://xn--bcher-kva.example:81/x", "HTTP://B\u{dc}CHER.example:81/x",
    ] {
      XCTAssertEqual(
        NetworkURL.permitted(NetworkURL.url(text))?.absoluteString.lowercased(),
        "http://xn--bcher-kva.example:81/x", text)
      let url = try NetworkURL.checked(URLReference(text))
      XCTAssertEqual(url.absoluteString.lowercased(), "http://xn--bcher-kva.example:81/x", text)
    }
    let url = try XCTUnwrap(URL(string: "http://b\u{fc}cher.example/"))
    let plain = try XCTUnwrap(URL(string: "http://xn--bcher-kva.example/"))
    XCTAssertTrue(NetworkURL.haveSameOrigin(url, plain))
  }

  func testAFaultNamesTheHostOrThePort() {
    for (text, parts) in [
      ("http://a%20b/", ["\"a%20b\"", "punycode"]), ("http://b\u{10fffc}cher/", ["b\u{fc}cher"]),
      ("http://a.test:0/", ["port \"0\"", "65535"]), ("http://a.test:99999/", ["\"99999\""]),
      ("http://a.test:99999999999999999999/", ["\"99999999999999999999\""]),
      ("http://a.test:b/", ["\"b\""]), ("http://a.test:-1/", ["\"-1\""]),
      ("http://::1:80/", ["brackets", "http://[::1]:80/"]), ("http://::1/", ["brackets"]),
      ("http://[::1/", ["IPv6", "brackets"]), ("http://[x]/", ["\"[x]\""]),
      ("http://[::1]x/", ["\"[::1]x\""]), ("http://[::1]:0/", ["port \"0\""]),
      ("http:///x", ["no host"]), ("http:x", ["no host"]), ("http://:80/", ["no host"]),
      ("ftp://a/", ["\"ftp\"", "http"]), ("/x", ["no scheme"]),
      ("http://good.test\\@evil.test/", []), ("http://a.test\\b/", ["\"a.test\\b\""]),
    ] {
      let fault = fault(text)
      for part in parts { XCTAssertEqual(fault?.contains(part), true, "\(text): \(fault ?? "")") }
    }
    for text in [
      "http://[::1]:80/", "http://[fe80::1%25eth0]/", "http://a.test:/", "http://a_b.test/",
      "https://127.0.0.1:65535/",
    ] {
      XCTAssertNil(fault(text), text)
    }
  }

  func testCredentialsAreBytes() throws {
    for (text, credentials) in [
      ("http://u%FC:p%3A%FF@a.test/", Array("u".utf8) + [0xfc, 0x3a, 0x70, 0x3a, 0xff]),
      ("http://u@a.test/", Array("u:".utf8)), ("http://:p@a.test/", Array(":p".utf8)),
      ("http://u:p@q@a.test/", Array("u:p@q".utf8)),
    ] {
      let url = try XCTUnwrap(NetworkURL.url(text), text)
      XCTAssertEqual(
        NetworkURL.basicAuthorization(url), "Basic \(Data(credentials).base64EncodedString())",
        text)
    }
    XCTAssertNil(NetworkURL.basicAuthorization(try XCTUnwrap(URL(string: "http://@a.test/"))))
  }
}
