import Foundation
import StrataLaws

@testable import StrataCore
@testable import StrataVerbs

/// Checks that the laws catch faults in codecs for compressed bytes.
final class CompressionFaultTests: FaultCase {
  private static func format(_ threshold: Int, _ maximumSize: Int) -> CompressedFormat {
    CompressedFormat(threshold: threshold, maximumSize: maximumSize)
  }

  func testPlainBytesThatLookCompressed() {
    expectCaught(
      "takesAnyMark",
      by: .compression { threshold, maximumSize in
        let format = Self.format(threshold, maximumSize)
        return Codec(
          decode: { try format.expanded($0) },
          encode: { $0.count < threshold ? $0 : format.compressed($0) })
      }, as: "compression.transparency", alone: true)
  }

  func testACodecWithoutABound() {
    expectCaught(
      "unbounded",
      by: .compression { threshold, _ in .compressed(.identity, from: threshold, atMost: .max) },
      as: "compression.bound", alone: true)
  }

  func testADecoderThatIgnoresWhatFollows() {
    expectCaught(
      "ignoresTail",
      by: .compression { threshold, maximumSize in
        let format = Self.format(threshold, maximumSize)
        return Codec<Data, Data>(
          decode: { data throws -> Data in
            do { return try format.expanded(data) } catch {
              guard let whole = try? format.expanded(data.dropLast()) else { throw error }
              return whole + data.suffix(1)
            }
          }, encode: { data throws -> Data in format.compressed(data) })
      }, as: "compression.damage", alone: true)
  }
}
