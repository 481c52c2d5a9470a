import Foundation
import XCTest

@testable import StrataCore
@testable import StrataExplain
@testable import StrataVerbs

final class DrawingColorsTests: XCTestCase {
  func testEveryKindHasAColorOnLightGroundAndOnDark() {
    XCTAssertEqual(DrawingColors.light.kinds.map(\.name), DrawingColors.dark.kinds.map(\.name))
    XCTAssertEqual(
      Set(DrawingColors.light.kinds.map(\.name)).count, DrawingColors.light.kinds.count)
    let roles: [CachePlan.Role?] = [.memory, .storage, .origin, .constant, nil]
    let styles = roles.map(DrawingColors.style)
    XCTAssertEqual(styles, ["memory", "disk", "network", "other", "other"])
    for style in styles {
      XCTAssertTrue(DrawingColors.light.kinds.contains { $0.name == style }, style)
    }
  }

  func testTheStyleHasLightColorsAndDarkColorsInDarkMode() throws {
    let parts = DrawingColors.style.components(separatedBy: "@media (prefers-color-scheme: dark) {")
    XCTAssertEqual(parts.count, 2)
    for (colors, part) in zip([DrawingColors.light, .dark], parts) {
      XCTAssertTrue(part.contains(".ground { fill: \(colors.ground); }"))
      for kind in colors.kinds {
        XCTAssertTrue(part.contains(".\(kind.name) { fill: \(kind.color); }"), kind.name)
      }
    }
  }

  /// Checks the minimum contrasts that the Web Content Accessibility Guidelines require (WCAG 2.2,
  /// 1.4.3 and 1.4.11).
  func testTextHasAContrastOfAtLeastFourAndAHalfAndLinesOfThree() {
    for colors in [DrawingColors.light, .dark] {
      for text in [colors.ink, colors.quiet, colors.pool] {
        for ground in [colors.ground, colors.box, colors.poolGround] {
          XCTAssertGreaterThanOrEqual(contrast(text, ground), 4.5, "\(text) on \(ground)")
        }
      }
      XCTAssertGreaterThanOrEqual(contrast(colors.edge, colors.ground), 3)
      XCTAssertGreaterThanOrEqual(contrast(colors.edge, colors.poolGround), 3)
    }
  }

  private func contrast(_ one: String, _ other: String) -> Double {
    let (low, high) = (min(light(one), light(other)), max(light(one), light(other)))
    return (high + 0.05) / (low + 0.05)
  }

  /// Returns the relative luminance of a color that is given in hexadecimal digits.
  private func light(_ color: String) -> Double {
    let bits = Int(color.dropFirst(), radix: 16) ?? 0
    let parts = [16, 8, 0].map { shift -> Double in
      let part = Double(bits >> shift & 255) / 255
      return part <= 0.04045 ? part / 12.92 : pow((part + 0.055) / 1.055, 2.4)
    }
    return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]
  }
}
