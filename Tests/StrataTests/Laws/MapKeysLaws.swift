import Strata
import StrataLaws
import XCTest

/// The laws of `<^>`: caches are contravariant functors in their keys.
final class MapKeysLaws: XCTestCase {
  func testKeysAreContravariant() async throws {
    try await checkTogether(.keys, cases: Extent.cases(120))
  }

  func testASynchronousTransformerEqualsTheFunction() async throws {
    try await checkTogether(
      .keys { transform, cache in cache.mapKeys(Transformer(transform)) },
      cases: Extent.cases(60))
  }

  func testAMapThatIsNotInjectiveDiffersOutsideASum() {
    let halved: @Sendable (Int) -> Int = { $0 / 2 }
    let near = Law("near", "f <^> (a + b) == f <^> a + f <^> b, f not injective", "False.") {
      halved <^> ($0[0] + $0[1])
    } is: {
      halved <^> $0[0] + halved <^> $0[1]
    }
    XCTAssertNotNil(near.violation(cases: 20_000))
  }
}
