import XCTest

@testable import StrataCore
@testable import StrataExplain
@testable import StrataVerbs

final class DrawingTests: XCTestCase {
  private func lines(_ draw: (inout Drawing) -> Void) -> [Substring] {
    var drawing = Drawing(title: "a")
    draw(&drawing)
    return drawing.svg(height: 10).split(separator: "\n")
  }

  func testTextIsEscapedAndOnOneLine() throws {
    let shown = lines { $0.text("<a> & \"b\"\nc", x: 1, y: 2, "word") }
    let line = try XCTUnwrap(shown.first { $0.hasPrefix("<text") })
    XCTAssertEqual(
      line, "<text x=\"1\" y=\"2\" class=\"word\">&lt;a&gt; &amp; &quot;b&quot; c</text>")
  }

  func testPositionsHaveAtMostOneDecimal() throws {
    let shown = lines { $0.box(x: 1.04, y: 1.06, width: 20, height: 0.5, "box") }
    let line = try XCTUnwrap(shown.first { $0.hasPrefix("<rect x") })
    XCTAssertEqual(
      line, "<rect x=\"1\" y=\"1.1\" width=\"20\" height=\"0.5\" rx=\"6\" class=\"box\"/>")
  }

  func testTheHeadOfAnArrowIsAtItsEndInBothDirections() {
    let heads = lines {
      $0.arrow(x: 10, from: 0, to: 50, "")
      $0.arrow(x: 10, from: 50, to: 0, "fill")
    }.filter { $0.hasPrefix("<polygon") }
    XCTAssertEqual(
      heads,
      [
        "<polygon points=\"10,50 6,44 14,44\" class=\"head\"/>",
        "<polygon points=\"10,0 6,6 14,6\" class=\"head\"/>",
      ])
  }

  func testAnAddedDrawingIsInFrontWithoutItsTitle() throws {
    var (under, over) = (Drawing(title: "under"), Drawing(title: "over"))
    under.text("first", x: 0, y: 0, "")
    over.text("second", x: 0, y: 0, "")
    under.add(over)
    let texts = try svgTexts(under.svg(height: 5))
    XCTAssertEqual([texts[0], texts[2], texts[3]], ["under", "first", "second"])
  }
}
