import Strata
import StrataLaws
import XCTest

/// The laws of `<*>`, which maps a cache's values through a codec in both directions.
final class MapValuesLaws: XCTestCase {
  func testValuesAreInvariant() async throws {
    try await checkTogether(.values, cases: Extent.cases(120))
  }

  func testAFunctionOnAFetcherDecodesLikeTheCodec() async throws {
    let law = Law("fetchers.functions", "f.mapValues(g) == f <*> t", "Reading is decoding.") {
      $0[0].mapValues { $0 + 10 }
    } is: {
      $0[0].fetcher <*> .shifted
    }
    try await checkTogether(Laws("fetchers", [law]))
  }

  func testACodecThatCanFailDiffersOutsideASum() {
    // If the codec is outside of the sum and can't decode a record, the get of that record fails.
    // If each level has a codec, a get that can't decode a record reads the next level. The value
    // from the next level replaces the record that the codec couldn't decode.
    XCTAssertNotNil(distribution(of: .fragile).violation())
  }

  func testALossyCodecDiffersOutsideASum() {
    // A back-fill encodes the decoded value again, so a lossy codec stores a different value.
    let forgetful = Codec<Int, Int>(decode: { $0 / 2 }, encode: { $0 * 2 })
    XCTAssertNotNil(distribution(of: forgetful).violation())
  }

  private func distribution(of codec: Codec<Int, Int>) -> Law {
    Law("near", "(a + b) <*> t == a <*> t + b <*> t", "False for some codecs.") {
      ($0[0] + $0[1]) <*> codec
    } is: {
      $0[0] <*> codec + $0[1] <*> codec
    }
  }
}
