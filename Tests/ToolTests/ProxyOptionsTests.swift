import Foundation
import XCTest

@testable import strata_tool

final class ProxyOptionsTests: XCTestCase {
  func testAnOriginIsRequired() throws {
    let options = try ProxyOptions(["https://api.example.com:8443/"])
    XCTAssertEqual(options.origin.absoluteString, "https://api.example.com:8443/")
    XCTAssertEqual(options.port, 8080)
    XCTAssertEqual(options.capacity, 100_000_000)
    XCTAssertFalse(options.isShared || options.isOffline)
    XCTAssertEqual(options.storeName, "proxy-https-api.example.com-8443")
  }

  func testOptionsAreRead() throws {
    let options = try ProxyOptions([
      "--port=0", "http://localhost", "--folder", "/tmp/x", "--capacity", "5000", "--shared",
      "--offline",
    ])
    XCTAssertEqual(options.port, 0)
    XCTAssertEqual(options.directory?.path, "/tmp/x")
    XCTAssertEqual(options.capacity, 5000)
    XCTAssertTrue(options.isShared && options.isOffline)
  }

  func testASharedCacheHasItsOwnDirectory() throws {
    let names = try [["http://a.example"], ["http://a.example", "--shared"]].map {
      try ProxyOptions($0).storeName
    }
    XCTAssertEqual(names, ["proxy-http-a.example", "shared-proxy-http-a.example"])
  }

  func testNamesAndLimitsAreRead() throws {
    let options = try ProxyOptions([
      "http://a.example", "--host", "Dev.Example,other:8080", "--host=third", "--upload", "0",
      "--deadline", "600",
    ])
    XCTAssertEqual(options.hosts.others, ["dev.example", "other", "third"])
    XCTAssertEqual([options.upload, options.deadline], [0, 600])
    for arguments in [
      ["--host", "a b"], ["--host", "http://a"], ["--host", "a,,b"], ["--host="],
      ["--upload", "-1"],
      ["--upload", "1e9"], ["--deadline", "0"], ["--deadline", "99999999999999999999"],
    ] { XCTAssertThrowsError(try ProxyOptions(["http://a.example"] + arguments), "\(arguments)") }
  }

  func testOtherArgumentsAreRefused() {
    for arguments in [
      [], ["ftp://example.com"], ["example.com"], ["http://"], ["http://example.com/path"],
      ["http://example.com?q"], ["http://a.com:0"], ["http://a.com:65536"],
      ["http://u@example.com"], ["http://a.com", "http://b.com"],
      ["http://a.com", "--port", "70000"], ["http://a.com", "--port"],
      ["http://a.com", "--capacity", "1"], ["http://a.com", "--nope"],
      ["http://a.com", "--shared=yes"],
    ] { XCTAssertThrowsError(try ProxyOptions(arguments), "\(arguments)") }
  }
}
