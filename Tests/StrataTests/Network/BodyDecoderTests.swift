#if canImport(CStrataCurl) && canImport(Glibc)
  import XCTest

  @testable import StrataCore
  @testable import StrataNetwork

  final class BodyDecoderTests: XCTestCase {
    private let text = Array((0..<5000).map { "line \($0 % 97)\n" }.joined().utf8)

    /// Decodes a body that arrives in pieces of the given size.
    private func decoded(
      _ body: [UInt8], _ codings: [BodyCoding], by size: Int = .max, maximum: Int = 1 << 20
    ) throws -> [UInt8] {
      let decoder = try BodyDecoder(codings, maximumIntermediate: maximum)
      var (result, rest) = ([UInt8](), body[...])
      while !rest.isEmpty {
        let piece = Array(rest.prefix(size))
        rest = rest.dropFirst(piece.count)
        try piece.withUnsafeBytes { bytes in
          try decoder.write(bytes) { output in result += output }
        }
      }
      try decoder.finish()
      return result
    }

    func testEveryFormatIsDecodedInPiecesOfEverySize() throws {
      for size in [1, 2, 3, 1000, .max] {
        XCTAssertEqual(try decoded(BodyEncoder.gzip(text), [.gzip], by: size), text)
        XCTAssertEqual(try decoded(BodyEncoder.deflate(text), [.deflate], by: size), text)
        XCTAssertEqual(try decoded(BodyEncoder.rawDeflate(text), [.deflate], by: size), text)
        let twice = BodyEncoder.gzip(BodyEncoder.deflate(text))
        XCTAssertEqual(try decoded(twice, [.deflate, .gzip], by: size), text)
      }
      XCTAssertEqual(try decoded(BodyEncoder.gzip([]), [.gzip]), [])
      XCTAssertEqual(BodyEncoder.rawDeflate([]).count, 2, "This stream should be the shortest one.")
      XCTAssertEqual(try decoded(BodyEncoder.rawDeflate([]), [.deflate]), [])
    }

    func testADecoderLeavesNoMemoryInUse() throws {
      let bodies = [
        (BodyEncoder.gzip(text), BodyCoding.gzip), (BodyEncoder.rawDeflate(text), .deflate),
      ]
      for (body, coding) in bodies {
        let growth = try Memory.growth {
          for _ in 0..<20 {
            _ = try decoded(body, [coding])
            _ = try? decoded(Array(body.prefix(20)), [coding])
          }
        }
        XCTAssertLessThanOrEqual(growth ?? 0, 0)
      }
    }

    func testAGzipBodyMayHaveSeveralMembers() throws {
      let body = BodyEncoder.gzip(text) + BodyEncoder.gzip([]) + BodyEncoder.gzip([1, 2])
      for size in [1, 7, .max] {
        XCTAssertEqual(try decoded(body, [.gzip], by: size), text + [1, 2])
      }
    }

    func testBytesAfterTheEndAreRefused() {
      XCTAssertThrowsError(try decoded(BodyEncoder.gzip(text) + [0], [.gzip]))
      XCTAssertThrowsError(
        try decoded(BodyEncoder.gzip(text) + BodyEncoder.gzip(text).prefix(9), [.gzip]))
      XCTAssertThrowsError(try decoded(BodyEncoder.deflate(text) + [0], [.deflate]))
      XCTAssertThrowsError(try decoded(BodyEncoder.rawDeflate(text) + [0], [.deflate]))
    }

    func testAShortenedBodyIsRefused() {
      for body in [BodyEncoder.gzip(text), BodyEncoder.deflate(text), BodyEncoder.rawDeflate(text)]
      {
        let coding: BodyCoding = body.first == 0x1F ? .gzip : .deflate
        for count in stride(from: 1, to: body.count, by: 7) {
          XCTAssertThrowsError(try decoded(Array(body.prefix(count)), [coding]), "\(count)")
        }
      }
    }

    func testTheBytesBetweenTwoStepsHaveABound() throws {
      let body = BodyEncoder.gzip(BodyEncoder.gzip([UInt8](repeating: 0, count: 1 << 20)))
      let size = BodyEncoder.gzip([UInt8](repeating: 0, count: 1 << 20)).count
      XCTAssertNoThrow(try decoded(body, [.gzip, .gzip], maximum: size))
      XCTAssertThrowsError(try decoded(body, [.gzip, .gzip], maximum: size - 1))
    }

    func testMoreThanFourStepsAreRefused() {
      XCTAssertNoThrow(
        try BodyDecoder([.gzip, .gzip, .gzip, .gzip], maximumIntermediate: 1))
      XCTAssertThrowsError(
        try BodyDecoder([.gzip, .gzip, .gzip, .gzip, .gzip], maximumIntermediate: 1))
    }
  }
#endif
