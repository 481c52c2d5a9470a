import Foundation
import XCTest

@testable import StrataCore

final class CodecTests: XCTestCase {
  private struct Broken: Error, Equatable {}

  func testThenDecodesForwardAndEncodesBackward() {  // T22
    let one = Codec<Int, String>(decode: { "\($0)" }, encode: { Int($0) ?? 0 })
    let two = Codec<String, [String]>(decode: { [$0, "b"] }, encode: { $0[0] })
    XCTAssertEqual((one >>> two).decode(5).outcome?.value, ["5", "b"])
    XCTAssertEqual((one >>> two).encode(["7"]).outcome?.value, 7)
    XCTAssertEqual((one >>> two).inverse.decode(["7"]).outcome?.value, 7)
  }

  func testAFailureOfEitherCodecFailsTheComposition() {  // T22
    let broken = Codec<Int, Int>(decode: { _ in throw Broken() }, encode: { _ in throw Broken() })
    let error = Promise<Int>(error: Broken()).answer
    for codec in [broken >>> .shifted, .shifted >>> broken] {
      XCTAssertEqual([codec.decode(0).answer, codec.encode(0).answer], [error, error])
    }
    let transformers = [
      broken.decoding >>> .identity, Transformer<Int, Int>.identity >>> broken.decoding,
    ]
    XCTAssertEqual(transformers.map { $0(0).answer }, [error, error])
  }

  func testFunctionsOfAnyKindMakeACodecAndATransformer() async throws {
    let async = Codec<Int, Int>(
      decode: { stored async throws -> Int in stored + 1 },
      encode: { value async throws -> Int in value - 1 })
    let promising = Codec<Int, Int>(decode: { Promise($0 + 1) }, encode: { Promise($0 - 1) })
    for codec in [async, promising] {
      let (there, back) = (try await codec.decode(1).value, try await codec.encode(1).value)
      XCTAssertEqual([there, back], [2, 0])
    }
    let slow = Transformer<Int, Int> { input async throws -> Int in input * 2 }
    let twice = try await (slow >>> slow)(3).value
    XCTAssertEqual(twice, 12)
  }

}

/// Whether decoding fails with `undecodable`.
func undecodable<Stored: Sendable, Value: Sendable>(
  _ codec: Codec<Stored, Value>, _ stored: Stored
) -> Bool {
  guard case .undecodable? = codec.decode(stored).outcome?.error as? CacheError else {
    return false
  }
  return true
}
