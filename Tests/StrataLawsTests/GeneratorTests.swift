import StrataLaws
import XCTest

final class GeneratorTests: XCTestCase {
  func testEqualSeedsGiveEqualNumbers() {
    var (one, other) = (SeededGenerator(seed: 7), SeededGenerator(seed: 7))
    XCTAssertEqual((0..<100).map { _ in one.next() }, (0..<100).map { _ in other.next() })
  }

  func testASplitGeneratorDoesNotMoveTheOther() {
    var (one, other) = (SeededGenerator(seed: 7), SeededGenerator(seed: 7))
    var (left, right) = (one.split(), other.split())
    for _ in 0..<50 { _ = left.next() }
    XCTAssertNotEqual(left.next(), right.next())
    XCTAssertEqual(one.next(), other.next())
  }
}
