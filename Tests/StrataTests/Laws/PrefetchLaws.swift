import StrataLaws
import XCTest

/// Prefetching never changes what gets return, and loads what is wanted once.
final class PrefetchLaws: XCTestCase {
  func testAPrefetcherObeysItsLaws() async throws { try await checkTogether(.prefetch) }
}
