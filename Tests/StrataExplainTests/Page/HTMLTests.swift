import XCTest

@testable import StrataExplain

final class HTMLTests: XCTestCase {
  func testInterpolatedTextIsEscapedAndMarkupIsNot() {
    let (name, part): (String, HTML) = ("<a&\"b\">\n", "<b>c</b>")
    let markup: HTML = "<p title=\"\(name)\">\(part)\([part, part])</p>"
    XCTAssertEqual(
      markup.text,
      "<p title=\"&lt;a&amp;&quot;b&quot;&gt; \"><b>c</b><b>c</b>\n<b>c</b></p>")
  }

  func testLongTextIsShortened() {
    let markup: HTML = "\(String(repeating: "x", count: 5_000))"
    XCTAssertEqual(markup.text.count, HTML.longestText)
  }
}
