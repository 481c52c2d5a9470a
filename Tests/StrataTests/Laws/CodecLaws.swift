import Foundation
import XCTest

@testable import Strata

/// Codecs are a category: `>>>` with `.identity`, and `.inverse` turns it round.
final class CodecLaws: XCTestCase {
  /// Where two codecs differ on values drawn at random, or `nil`.
  private func difference<Stored: Sendable, Value: Sendable>(
    _ left: Codec<Stored, Value>, _ right: Codec<Stored, Value>,
    stored: (inout SeededGenerator) -> Stored, values: (inout SeededGenerator) -> Value
  ) -> String? {
    for number in 0..<Law.cases {
      var random = SeededGenerator(seed: Seed.value &+ UInt64(number))
      let (bytes, value) = (stored(&random), values(&random))
      let decoded = (left.decode(bytes).answer, right.decode(bytes).answer)
      let encoded = (left.encode(value).answer, right.encode(value).answer)
      if decoded.0 != decoded.1 || encoded.0 != encoded.1 {
        return
          "seed \(Seed.value &+ UInt64(number)): \(bytes) -> \(decoded), \(value) -> \(encoded)"
      }
    }
    return nil
  }

  private func difference(_ left: Codec<Int, Int>, _ right: Codec<Int, Int>) -> String? {
    difference(
      left, right, stored: { Int.random(in: -3...16, using: &$0) },
      values: { Int.random(in: -3...30, using: &$0) })
  }

  private let codecs: [Codec<Int, Int>] = [
    .shifted, .fragile, .identity, Codec(decode: { $0 / 2 }, encode: { $0 * 2 }),
  ]

  func testThenIsAssociative() {
    for a in codecs {
      for b in codecs {
        for c in codecs { XCTAssertNil(difference((a >>> b) >>> c, a >>> (b >>> c))) }
      }
    }
  }

  func testIdentityIsTheIdentityOfThen() {
    for a in codecs {
      XCTAssertNil(difference(.identity >>> a, a))
      XCTAssertNil(difference(a >>> .identity, a))
    }
  }

  func testInverseOfInverseIsTheCodec() {
    for a in codecs { XCTAssertNil(difference(a.inverse.inverse, a)) }
  }

  func testInverseOfThenIsThenOfInverses() {
    for a in codecs {
      for b in codecs { XCTAssertNil(difference((a >>> b).inverse, b.inverse >>> a.inverse)) }
    }
  }

  func testDecodingOfThenIsThenOfDecodings() {
    let (a, b) = (Codec<Int, Int>.fragile, Codec<Int, Int>.shifted)
    for stored in -3...16 {
      let (left, right) = ((a >>> b).decoding(stored), (a.decoding >>> b.decoding)(stored))
      XCTAssertEqual(left.answer, right.answer)
    }
  }

  func testTheOtherOrderIsToldApart() {
    XCTAssertNotNil(difference(.shifted >>> codecs[3], codecs[3] >>> .shifted))
  }

  func testTheInverseIsToldApart() {
    XCTAssertNotNil(difference(.shifted, Codec<Int, Int>.shifted.inverse))
  }
}

extension CodecLaws {
  /// What does not come back from its own encoding, or `nil`.
  private func lost<Stored: Sendable, Value: Equatable & Sendable>(
    _ codec: Codec<Stored, Value>, _ values: (inout SeededGenerator) -> Value
  ) -> String? {
    for number in 0..<Law.cases {
      var random = SeededGenerator(seed: Seed.value &+ UInt64(number))
      let value = values(&random)
      let back = codec.encode(value).flatMap(codec.decode).outcome
      if back?.value != value { return "seed \(Seed.value &+ UInt64(number)): \(value)" }
    }
    return nil
  }

  func testEveryCodecOfItsOwnGivesBackWhatItIsGiven() {
    let data: (inout SeededGenerator) -> Data = { random in
      Data(
        (0..<Int.random(in: 0...40, using: &random)).map { _ in
          UInt8.random(in: 0...255, using: &random)
        })
    }
    let text: (inout SeededGenerator) -> String = { random in
      let scalars = Array("aé\u{301}ß😀\n\u{0} 漢\"\\".unicodeScalars)
      var view = String.UnicodeScalarView()
      for _ in 0..<Int.random(in: 0...12, using: &random) {
        view.append(scalars.randomElement(using: &random) ?? "a")
      }
      return String(view)
    }
    XCTAssertNil(lost(.utf8, text))
    XCTAssertNil(lost(.string(.utf16LittleEndian), text))
    XCTAssertNil(lost(.base64, data))
    XCTAssertNil(lost(.utf8 >>> .base64, data))
    XCTAssertNil(lost(.json(), text))
    XCTAssertNil(lost(.json()) { random in [text(&random): [Int(random.next() >> 12)]] })
    XCTAssertNil(lost(.versioned(7, .utf8), text))
  }

  func testACodecThatForgetsIsFound() {
    let rounding = Codec<Int, Int>(decode: { $0 * 2 }, encode: { $0 / 2 })
    XCTAssertNotNil(lost(rounding) { Int.random(in: 0...9, using: &$0) })
  }
}
