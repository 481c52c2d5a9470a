import Strata
import StrataLaws

/// Checks that the laws catch faults in codecs and in their compositions.
final class CodecFaultTests: FaultCase {
  func testALossyCodec() {
    let rounding = Codec<Int, Int>(decode: { $0 * 2 }, encode: { $0 / 2 })
    expectCaught(
      "rounds", by: .codec("name", rounding) { Int.random(in: 0...9, using: &$0) },
      as: "codec.name", alone: true)
  }

  func testCodecsThatEncodeInTheOrderOfDecoding() {
    expectCaught(
      "encodesInOrder",
      by: .codecs { first, second in
        Codec(
          decode: { first.decode($0).flatMap(second.decode) },
          encode: { first.encode($0).flatMap(second.encode) })
      }, as: "codecs.inversion", alone: true)
  }

  func testCodecsThatDecodeInTheOrderOfEncoding() {
    expectCaught(
      "backToFront", by: .codecs { first, second in second >>> first }, as: "codecs.decoding",
      alone: true)
  }

  func testASecondCodecWhoseFailureIsIgnored() {
    expectCaught(
      "passesOver",
      by: .codecs { first, second in
        Codec(
          decode: {
            first.decode($0).flatMap { half in second.decode(half).recover { _ in half } }
          },
          encode: { second.encode($0).flatMap(first.encode) })
      }, as: ["codecs.associativity", "codecs.identity"])
  }

  func testAnInverseOfOneDirection() {
    expectCaught(
      "halfInverse",
      by: .codecs(inverse: { codec in Codec(decode: codec.encode, encode: { Promise($0) }) }) {
        $0 >>> $1
      }, as: "codecs.involution", alone: true)
  }

  func testACodecWithOneConditionForBothDirections() {
    expectCaught(
      "oneCondition",
      by: .codecConditions { codec, reads, _ in codec.conditioned(decoding: reads, encoding: reads)
      }, as: "condition.codecs", alone: true)
  }

  func testAConditionThatHidesTheFailureOfItsCodec() {
    expectCaught(
      "hidesFailure",
      by: .codecConditions { codec, reads, writes in
        let whole = Codec(
          decode: { stored in codec.decode(stored).recover { _ in stored } }, encode: codec.encode)
        return whole.conditioned(decoding: reads, encoding: writes)
      }, as: "condition.freeCodecs", alone: true)
  }

  func testALiftThatLosesTheDeadline() {
    expectCaught(
      "losesDeadline",
      by: .stamps { codec in
        let lifted = Codec.stamped(codec)
        return Codec(
          decode: { stored in
            lifted.decode(stored).map { read in
              read.value == stored.value ? read : Stamped(read.value, storedAt: read.storedAt)
            }
          }, encode: lifted.encode)
      }, as: "stamps.age", alone: true)
  }

  func testALiftThatReadsFiveBits() {
    expectCaught(
      "fiveBits",
      by: .stamps { codec in
        let lifted = Codec.stamped(codec)
        return Codec(
          decode: { stored in
            stored.value < 32 ? lifted.decode(stored) : Promise(error: CacheError.notFound)
          }, encode: lifted.encode)
      }, as: "stamps.composition", alone: true)
  }
}
