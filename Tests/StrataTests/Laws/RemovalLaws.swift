import StrataLaws
import XCTest

/// A removal by a condition is a removal of each key that satisfies the condition.
final class RemovalLaws: XCTestCase {
  /// One law after the other, because a removal by a condition keeps all loads of the process that are
  /// in flight from being stored.
  func testRemovalsObeyTheLaws() throws { try Laws.check(.removal) }
}
