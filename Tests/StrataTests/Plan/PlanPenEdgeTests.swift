import XCTest

@testable import Strata

/// What stands beside the arrows between the boxes of a drawing.
final class PlanPenEdgeTests: XCTestCase {
  private let types = CachePlan.Types(key: "Key", value: "Value")

  private func edge(
    _ figure: PlanFigure, at edge: PlanPen.Edge, width: Double = 568
  ) throws -> (texts: [String], height: Double, svg: String) {
    var pen = PlanPen(drawing: Drawing(title: ""))
    let end = pen.edge(into: figure, at: edge, x: 0, y: 0, width: width)
    let svg = pen.drawing.svg(height: 100)
    return (Array(try svgTexts(svg).dropFirst(2)), end, svg)
  }

  private func figure(keys: [String] = [], values: [String] = []) -> PlanFigure {
    var figure = PlanFigure(.level("memory", types: types))
    figure.keys = keys.map { PlanFigure.Step(label: $0, from: nil, to: nil) }
    figure.values = values.map { PlanFigure.Step(label: $0, from: nil, to: nil) }
    return figure
  }

  func testWhatIsAskedFirstHasWordsOnlyIfItChangesSomething() throws {
    let plain = try edge(figure(), at: .first)
    XCTAssertEqual(plain.texts, [])
    XCTAssertEqual(plain.height, 0)
    XCTAssertEqual(try edge(figure(keys: ["k"]), at: .first).texts, ["k"])
    XCTAssertEqual(try edge(figure(), at: .entry).texts, ["Key", "Value"])
  }

  func testAMissSaysSoAndOnlyAValueThatFillsIsDashed() throws {
    let filling = try edge(figure(), at: .miss(fills: true))
    XCTAssertEqual(filling.texts, ["on a miss", "Key", "fills what is above", "Value"])
    XCTAssertTrue(filling.svg.contains("class=\"arrow fill\""))
    let passing = try edge(figure(), at: .miss(fills: false))
    XCTAssertEqual(passing.texts, ["on a miss", "Key", "Value"])
    XCTAssertFalse(passing.svg.contains("class=\"arrow fill\""))
  }

  func testKeysAndValuesShareRowsWhereThereIsRoomAndElseNot() throws {
    let long = String(repeating: "l", count: 30)
    let (keys, values) = ([long, long], [long])
    XCTAssertEqual(try edge(figure(keys: keys, values: values), at: .first).height, 12 + 2 * 16)
    XCTAssertEqual(
      try edge(figure(keys: keys, values: values), at: .first, width: 400).height, 12 + 3 * 16)
  }
}
