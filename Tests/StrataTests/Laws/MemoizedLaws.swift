import StrataLaws
import XCTest

/// A memoized function is a function, and a sum of its store and an origin.
final class MemoizedLaws: XCTestCase {
  func testAMemoizedFunctionIsASum() async throws { try await checkTogether(.memoization) }
}
