import Foundation
import XCTest

@testable import StrataCore
@testable import StrataNetwork
@testable import StrataVerbs

final class ResponseReaderTests: XCTestCase {
  func testAHeadWithTooManyFieldsIsRefused() {
    var reader = ResponseReader(method: "GET", maximumSize: 9, arrivesDecoded: true)
    let fields = HeaderFields(
      (0...HeaderParser.maximumLines).map { .init(name: "n\($0)", value: "") })
    XCTAssertThrowsError(try reader.begin(ResponseHead(status: 200, fields: fields)))
  }

  private func read(
    _ fields: HeaderFields, _ body: [UInt8], status: Int = 200, method: String = "GET",
    maximumSize: Int = 9
  ) throws -> Data {
    var reader = ResponseReader(method: method, maximumSize: maximumSize, arrivesDecoded: false)
    try reader.begin(ResponseHead(status: status, fields: fields))
    try body.withUnsafeBytes { try reader.append($0) }
    return try reader.finish()
  }

  func testABodyHasItsAnnouncedLength() throws {
    XCTAssertEqual(try read(["Content-Length": "3"], [1, 2, 3]), Data([1, 2, 3]))
    XCTAssertEqual(try read([:], [1, 2, 3]), Data([1, 2, 3]))
    XCTAssertThrowsError(try read(["Content-Length": "4"], [1, 2, 3]))
    XCTAssertThrowsError(try read(["Content-Length": "2"], [1, 2, 3]))
    XCTAssertThrowsError(
      try read(["Content-Length": "4", "Transfer-Encoding": "chunked"], [1, 2, 3]))
  }

  /// RFC 9112, section 6.3: chunks override a length. A proxy that sent both, or a length other than
  /// that of the body, would let its client end the body at the wrong byte.
  func testTheHeaderHasOnlyTheLengthThatCounts() throws {
    for (fields, length): (HeaderFields, String?) in [
      (["Content-Length": "3", "Transfer-Encoding": "Chunked"], nil),
      (["Content-Length": "3", "Transfer-Encoding": "identity"], "3"),
      (["Content-Length": "3, 3"], "3"), (["Content-Length": "3", "content-length": "03"], nil),
      (["Content-Length": "003"], "3"), ([:], nil),
    ] {
      for method in ["GET", "HEAD"] {
        var reader = ResponseReader(method: method, maximumSize: 9, arrivesDecoded: false)
        do { try reader.begin(ResponseHead(status: 200, fields: fields)) } catch { continue }
        XCTAssertEqual(reader.head?.fields["Content-Length"], length, "\(fields)")
      }
    }
  }

  func testAByteAfterTheAnnouncedLengthIsRefusedImmediately() throws {
    for fields: HeaderFields in [
      ["Content-Length": "3"], ["Content-Length": "3", "Transfer-Encoding": "chunked"],
    ] {
      var reader = ResponseReader(method: "GET", maximumSize: 9, arrivesDecoded: false)
      try reader.begin(ResponseHead(status: 200, fields: fields))
      try [UInt8(1), 2, 3].withUnsafeBytes { try reader.append($0) }
      XCTAssertThrowsError(try [UInt8(4)].withUnsafeBytes { try reader.append($0) })
    }
  }

  func testABodyHasABound() throws {
    XCTAssertNoThrow(try read([:], Array(repeating: 0, count: 9)))
    XCTAssertThrowsError(try read([:], Array(repeating: 0, count: 10)))
    XCTAssertThrowsError(try read(["Content-Length": "10"], []))
    XCTAssertNoThrow(try read(["Content-Length": "10"], [], method: "HEAD"))
    XCTAssertNoThrow(try read(["Content-Length": "10"], [], status: 304))
  }

  func testAnEncodedBodyMayBeLongerByASixtyFourthAndAHeader() throws {
    for maximumSize in [0, 9, 6_400] {
      let longest = maximumSize + maximumSize / 64 + 1_024
      for (length, isTooLong) in [(longest, false), (longest + 1, true)] {
        var reader = ResponseReader(method: "GET", maximumSize: maximumSize, arrivesDecoded: false)
        let fields: HeaderFields = ["Content-Encoding": "gzip", "Content-Length": "\(length)"]
        let begin = Result { try reader.begin(ResponseHead(status: 200, fields: fields)) }
        XCTAssertEqual((try? begin.get()) == nil, isTooLong, "\(length)")
      }
    }
  }

  func testABodyMayStayInItsCoding() throws {
    var reader = ResponseReader(
      method: "GET", maximumSize: 9, arrivesDecoded: false, decodes: false)
    let fields: HeaderFields = ["Content-Encoding": "gzip", "Content-Length": "3"]
    try reader.begin(ResponseHead(status: 200, fields: fields))
    try [UInt8(1), 2, 3].withUnsafeBytes { try reader.append($0) }
    XCTAssertEqual(try reader.finish(), Data([1, 2, 3]))
    XCTAssertEqual(reader.head?.fields, fields)
  }

  #if canImport(CStrataCurl) && canImport(Glibc)
    /// The body has an extra field in its gzip header, which makes the encoded body as long as
    /// necessary. The response doesn't announce the length.
    func testAnEncodedBodyIsCountedWhileItArrives() throws {
      let plain = BodyEncoder.gzip([1, 2, 3])
      for (length, isTooLong) in [(9 + 1_024, false), (9 + 1_025, true)] {
        let extra = length - plain.count - 2
        var body = plain
        body[3] = 4  // The flag of an extra field.
        body.insert(contentsOf: [UInt8](repeating: 0, count: extra), at: 10)
        body.insert(contentsOf: [UInt8(extra & 255), UInt8(extra >> 8)], at: 10)
        XCTAssertEqual(body.count, length)
        let result = Result { try read(["Content-Encoding": "gzip"], body) }
        XCTAssertEqual(try? result.get(), isTooLong ? nil : Data([1, 2, 3]))
      }
    }

    func testADecodedBodyLosesTheFieldsOfItsEncoding() throws {
      let body = BodyEncoder.gzip([1, 2, 3])
      var reader = ResponseReader(method: "GET", maximumSize: 3, arrivesDecoded: false)
      let fields: HeaderFields = [
        "Content-Encoding": "gzip", "Content-Length": "\(body.count)", "ETag": "1",
      ]
      try reader.begin(ResponseHead(status: 200, fields: fields))
      try body.withUnsafeBytes { try reader.append($0) }
      XCTAssertEqual(try reader.finish(), Data([1, 2, 3]))
      XCTAssertEqual(reader.head?.fields, ["ETag": "1"])
    }

    /// An encoded body of zero bytes isn't a valid gzip stream. An empty encoded body is accepted
    /// only if the response states that the body is empty.
    func testAnEncodedBodyWithoutBytesNeedsACertainEnd() {
      XCTAssertNoThrow(try read(["Content-Encoding": "gzip", "Content-Length": "0"], []))
      XCTAssertNoThrow(try read(["Content-Encoding": "gzip", "Transfer-Encoding": "chunked"], []))
      XCTAssertThrowsError(try read(["Content-Encoding": "gzip"], []))
      XCTAssertThrowsError(
        try read(["Content-Encoding": "gzip", "Transfer-Encoding": "identity"], []))
    }
  #endif
}
