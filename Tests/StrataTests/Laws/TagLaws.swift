import Strata
import StrataLaws
import XCTest

/// Sets of tags with union act on caches as a monoid.
final class TagLaws: XCTestCase {
  func testTagsInMemoryObeyTheLaws() async throws { try await checkTogether(.tags) }

  func testTagsInACacheObeyTheLaws() async throws {
    try await checkTogether(
      .tags { TagSystem(Tags(in: .dictionary(), clockDifference: .zero, clock: $0)) },
      cases: 100)
  }

  func testTagsWithAMarginObeyTheLaws() async throws {
    try await checkTogether(.tags { TagSystem(Tags(in: .dictionary(), clock: $0)) }, cases: 100)
  }
}
