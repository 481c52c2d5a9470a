import XCTest

@testable import strata_tool

final class PaletteTests: XCTestCase {
  func testEveryCurveHasAUniqueColorOnEachBackground() {
    XCTAssertEqual(Palette.light.curves.map(\.name), Palette.dark.curves.map(\.name))
    let parts = Palette.style.components(separatedBy: "@media (prefers-color-scheme: dark) {")
    XCTAssertEqual(parts.count, 2)
    for (palette, part) in zip([Palette.light, .dark], parts) {
      XCTAssertEqual(Set(palette.curves.map(\.color)).count, palette.curves.count)
      XCTAssertTrue(part.contains(".ground { fill: \(palette.ground); }"))
      for (name, color) in palette.curves {
        XCTAssertTrue(part.contains(".curve.\(name) { stroke: \(color); }"), name)
      }
    }
  }
}
