import XCTest

@testable import StrataCore
@testable import StrataExplain
@testable import StrataVerbs

final class TraceSVGTests: TraceCase {
  func testTheDrawingIsXMLAndShowsEveryStep() throws {
    let texts = try svgTexts(try trace("a<b>&\"c\"").svg)
    for text in [
      "one get, 40.0 ms", "pages", "memory", "disk", "a<b>&\"c\"", "had nothing", "had it",
      "filled", "30.0 ms",
    ] {
      XCTAssert(texts.contains(text), "\(text) in \(texts)")
    }
  }

  func testLongNamesAreCut() throws {
    let trace = try trace(String(repeating: "long\n", count: 100))
    for text in try svgTexts(trace.svg).dropFirst(2) {
      XCTAssertLessThanOrEqual(text.count, 90, text)
    }
    XCTAssertEqual(trace.table.split(separator: "\n").count, 7)
  }
}
