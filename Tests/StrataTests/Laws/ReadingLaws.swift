import StrataLaws
import XCTest

/// Read modes are functions of a cache that commute with its verbs.
final class ReadingLaws: XCTestCase {
  func testReadModesObeyTheLaws() async throws { try await checkTogether(.reading) }
}
