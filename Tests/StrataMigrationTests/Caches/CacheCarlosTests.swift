import Foundation
import Strata
import StrataMigration
import XCTest

final class CacheCarlosTests: XCTestCase {
  private let upper: Cache<String, String> = .memory()
  private let lower: Cache<String, String> = .dictionary()

  func testTheOldNamesMakeTheSamePlans() {
    let queue = DispatchQueue(label: "test")
    let fetcher: BasicFetcher<String, String> = Fetcher(offMainThread: false) { $0 }
    let trimmed = OneWayTransformationBox<String, String> {
      $0.trimmingCharacters(in: .whitespaces)
    }
    let digits: TwoWayTransformationBox<String, Int> = Codec(
      decode: { Int($0) ?? 0 }, encode: { "\($0)" })
    let pairs: [(String, String)] = [
      (upper.compose(lower).plan.description, (upper + lower).plan.description),
      (upper.compose(fetcher).plan.description, (upper + fetcher).plan.description),
      (
        upper.transformKeys { (number: Int) in "\(number)" }.plan.description,
        upper.mapKeys { (number: Int) in "\(number)" }.plan.description
      ),
      (upper.transformValues(digits).plan.description, (upper <*> digits).plan.description),
      (upper.postProcess(trimmed).plan.description, upper.postProcessed(trimmed).plan.description),
      (upper.allBatch().plan.description, upper.batched().plan.description),
      (upper.capRequests(2).plan.description, upper.limited(toConcurrentGets: 2).plan.description),
      (upper.dispatch(queue).plan.description, upper.dispatched(on: queue).plan.description),
    ]
    for (old, new) in pairs { XCTAssertEqual(old, new) }
  }

  func testBatchesReturnTheValuesInTheOrderOfTheKeys() {
    let cache: BasicCache<String, String> = lower
    _ = cache.set("a", "1")
    _ = cache.set("b", "2")
    XCTAssertEqual(cache.batchGetAll(["b", "a"]).text, "[\"2\", \"1\"]")
    XCTAssertEqual(cache.batchGetSome(["b", "none", "a"]).text, "[\"2\", \"1\"]")
    XCTAssertEqual(cache.batchGetSome(["b", "b"]).text, "[\"2\", \"2\"]")
    XCTAssertEqual(cache.batchGetAll(["none"]).outcome?.error as? CacheError, .notFound)
  }

  func testAMemoryWarningReachesTheLevel() {
    _ = upper.set("a", "1")
    upper.onMemoryWarning()
    XCTAssertEqual(upper.get("a").outcome?.error as? CacheError, .notFound)
  }
}
