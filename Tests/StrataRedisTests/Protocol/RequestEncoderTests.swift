import Foundation
import XCTest

@testable import StrataRedis

final class RequestEncoderTests: XCTestCase {
  func testARequestIsAnArrayOfBytes() throws {
    var encoder = RequestEncoder()
    encoder.request("GET", "k\u{e9}")
    encoder.begin(2)
    encoder.append([13, 10, 0, 255])
    encoder.append(Array(repeating: 7, count: 12))
    let replies = try ReplyParser.all(in: encoder.bytes, by: 3)
    XCTAssertEqual(
      replies,
      [
        .list([.bytes(Data("GET".utf8)), .bytes(Data("k\u{e9}".utf8))]),
        .list([.bytes(Data([13, 10, 0, 255])), .bytes(Data(repeating: 7, count: 12))]),
      ])
  }

  func testSentBytesAreRemoved() {
    var encoder = RequestEncoder()
    encoder.request("PING")
    encoder.removeFirst(4)
    XCTAssertEqual(encoder.bytes, Array("$4\r\nPING\r\n".utf8))
    encoder.removeFirst(10)
    XCTAssertEqual(encoder.bytes, [])
  }
}
