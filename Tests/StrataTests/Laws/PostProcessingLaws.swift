import Strata
import StrataLaws
import XCTest

/// A get returns the transformed value, but the level stores the original value.
final class PostProcessingLaws: XCTestCase {
  func testOnlyReturnedValuesArePostProcessed() async throws {
    try await checkTogether(.postProcessing, cases: Extent.cases(120))
  }

  func testASettledPromiseEqualsTheFunction() async throws {
    try await checkTogether(
      .postProcessing { cache, transform in
        cache.postProcessed { key, value -> Promise<Int> in
          do { return Promise(try transform(key, value)) } catch { return Promise(error: error) }
        }
      }, cases: Extent.cases(60))
  }
}
