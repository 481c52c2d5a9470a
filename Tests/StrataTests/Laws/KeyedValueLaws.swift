import Strata
import StrataLaws
import XCTest

/// The laws of `mapValues` with functions that receive the key and the value.
final class KeyedValueLaws: XCTestCase {
  func testValuesAreReadAndWrittenWithTheirKeys() async throws {
    try await checkTogether(.keyedValues, cases: Extent.cases(120))
  }

  func testSettledPromisesEqualTheFunctions() async throws {
    try await checkTogether(
      .keyedValues { cache, decode, encode in
        @Sendable func promised(
          _ function: (Int, Int) throws -> Int, _ key: Int, _ value: Int
        ) -> Promise<Int> {
          do { return Promise(try function(key, value)) } catch { return Promise(error: error) }
        }
        return cache.mapValues(
          decoding: { key, value -> Promise<Int> in promised(decode, key, value) },
          encoding: { key, value -> Promise<Int> in promised(encode, key, value) })
      }, cases: Extent.cases(60))
  }

  func testSlowFunctionsPreserveTheOrderOfAKey() async throws {
    try await checkTogether(
      .level("keyed values") {
        Cache<Int, Int>.memory().mapValues(
          decode: { key, value async throws -> Int in value &- key &* 3 },
          encode: { key, value async throws -> Int in value &+ key &* 3 })
      }, cases: Extent.cases(20))
  }
}
