import XCTest

@testable import StrataExplain

final class StatusPageCurveTests: XCTestCase {
  private func knee(_ figures: [Double]) -> Double? {
    StatusPage.Curve(
      title: "", unit: .fraction,
      points: figures.enumerated().map { (capacity: Double($0.offset), figure: $0.element) }
    ).knee
  }

  func testTheKneeIsWhereACurveBendsMost() {
    XCTAssertEqual(knee([0, 0.5, 0.9, 0.92, 0.94, 0.96]), 2)
    XCTAssertEqual(knee([90, 50, 10, 8, 6, 4]), 2, "A falling curve has a knee, too.")
  }

  func testStraightAndAcceleratingCurvesHaveNoKnee() {
    XCTAssertNil(knee([0, 1, 2, 3]))
    XCTAssertNil(knee([0, 0, 0, 9]))
    XCTAssertNil(knee([1, 1, 1]))
    XCTAssertNil(knee([1, 2]))
    XCTAssertNil(knee([]))
  }

  func testPointsAreSortedAndFinite() {
    let curve = StatusPage.Curve(
      title: "", unit: .count, points: [(4, 2), (.nan, 1), (1, 1), (2, .infinity)])
    XCTAssertEqual(curve.points.map(\.capacity), [1, 4])
  }
}
