import Strata
import StrataLaws
import XCTest

/// A get returns the transformed value, but the level stores the original value.
final class PostProcessingLaws: XCTestCase {
  func testOnlyReturnedValuesArePostProcessed() throws {
    try Laws.check(.postProcessing, cases: Extent.cases(30))
  }

  func testASettledPromiseEqualsTheFunction() throws {
    try Laws.check(
      .postProcessing { cache, transform in
        cache.postProcessed { key, value -> Promise<Int> in
          do { return Promise(try transform(key, value)) } catch { return Promise(error: error) }
        }
      }, cases: Extent.cases(30))
  }
}
