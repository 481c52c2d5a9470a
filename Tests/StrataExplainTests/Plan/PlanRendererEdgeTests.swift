import XCTest

@testable import StrataCore
@testable import StrataExplain
@testable import StrataVerbs

/// Tests the labels next to the arrows of a drawing.
final class PlanRendererEdgeTests: XCTestCase {
  private let types = CachePlan.Types(key: "Key", value: "Value")

  private func edge(
    _ diagram: PlanDiagram, at edge: PlanRenderer.Edge, width: Double = 568
  ) throws -> (texts: [String], height: Double, svg: String) {
    var renderer = PlanRenderer(drawing: Drawing(title: ""))
    let end = renderer.edge(into: diagram, at: edge, x: 0, y: 0, width: width)
    let svg = renderer.drawing.svg(height: 100)
    return (Array(try svgTexts(svg).dropFirst(2)), end, svg)
  }

  private func diagram(keys: [String] = [], values: [String] = []) -> PlanDiagram {
    var diagram = PlanDiagram(.level("memory", .memory, types: types))
    diagram.keys = keys.map { PlanDiagram.Mapping(label: $0, from: nil, to: nil) }
    diagram.values = values.map { PlanDiagram.Mapping(label: $0, from: nil, to: nil) }
    return diagram
  }

  func testTheFirstEdgeHasTextOnlyForAMap() throws {
    let plain = try edge(diagram(), at: .first)
    XCTAssertEqual(plain.texts, [])
    XCTAssertEqual(plain.height, 0)
    XCTAssertEqual(try edge(diagram(keys: ["k"]), at: .first).texts, ["k"])
    XCTAssertEqual(try edge(diagram(), at: .entry).texts, ["Key", "Value"])
  }

  func testAMissIsLabeledAndOnlyABackFillIsDashed() throws {
    let filling = try edge(diagram(), at: .miss(fills: true))
    XCTAssertEqual(filling.texts, ["on a miss", "Key", "fills what is above", "Value"])
    XCTAssertTrue(filling.svg.contains("class=\"arrow fill\""))
    let passing = try edge(diagram(), at: .miss(fills: false))
    XCTAssertEqual(passing.texts, ["on a miss", "Key", "Value"])
    XCTAssertFalse(passing.svg.contains("class=\"arrow fill\""))
  }

  func testKeysAndValuesShareARowOnlyIfTheyFit() throws {
    let long = String(repeating: "l", count: 30)
    let (keys, values) = ([long, long], [long])
    XCTAssertEqual(try edge(diagram(keys: keys, values: values), at: .first).height, 12 + 2 * 16)
    XCTAssertEqual(
      try edge(diagram(keys: keys, values: values), at: .first, width: 400).height, 12 + 3 * 16)
  }

  func testARowOf400UnitsHasRoomFor47Characters() throws {
    func text(_ count: Int) -> String { String(repeating: "l", count: count) }
    for (count, rows) in [(44, 1), (45, 2)] {
      let both = diagram(keys: [text(20)], values: [text(count - 20)])
      XCTAssertEqual(try edge(both, at: .first, width: 400).height, 12 + Double(rows) * 16)
    }
    let long = diagram(keys: [text(48)], values: [text(47)])
    XCTAssertEqual(try edge(long, at: .first, width: 400).texts, [text(46) + "…", text(47)])
  }
}
