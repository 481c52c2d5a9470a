import XCTest

@testable import strata_tool

final class CanvasTests: XCTestCase {
  func testShapesHavePositionsWithAtMostOneDecimal() throws {
    var drawing = Canvas(width: 300, title: "a <b>")
    drawing.text("1 < 2", x: 1.04, y: 2, "end")
    drawing.bar(x: 1, y: 2, width: 3.26, height: 4, "strata")
    drawing.line(from: (0, 1), to: (2, 3), "rule")
    drawing.curve([(0, 1), (2.5, 3)], "p1")
    drawing.dot(x: 5, y: 6, radius: 2.5, "p2")
    let svg = drawing.svg(height: 40)
    try assertWellFormed(svg)
    for shape in [
      "<text x=\"1\" y=\"2\" class=\"end\">1 &lt; 2</text>",
      "<rect x=\"1\" y=\"2\" width=\"3.3\" height=\"4\" rx=\"2\" class=\"strata\"/>",
      "<line x1=\"0\" y1=\"1\" x2=\"2\" y2=\"3\" class=\"rule\"/>",
      "<polyline points=\"0,1 2.5,3\" class=\"curve p1\"/>",
      "<circle cx=\"5\" cy=\"6\" r=\"2.5\" class=\"p2\"/>", "viewBox=\"0 0 300 40\"",
      "<title>a &lt;b&gt;</title>",
    ] {
      XCTAssertTrue(svg.contains(shape), "\(shape) in \(svg)")
    }
  }
}
