import Foundation
import XCTest

@testable import Strata

final class InkTests: XCTestCase {
  func testEveryKindHasAColourOnLightGroundAndOnDark() {
    XCTAssertEqual(Ink.light.kinds.map(\.name), Ink.dark.kinds.map(\.name))
    XCTAssertEqual(Set(Ink.light.kinds.map(\.name)).count, Ink.light.kinds.count)
    for level in ["memory", "dictionary", "disk", "userDefaults", "network", "fetcher", "mine"] {
      XCTAssertTrue(Ink.light.kinds.contains { $0.name == Ink.kind(level) }, level)
    }
    XCTAssertEqual(
      ["dictionary", "userDefaults", "fetcher", "mine"].map(Ink.kind),
      [
        "memory", "disk", "network", "other",
      ])
  }

  func testBothGroundsAreInTheStyleDarkOnlyWhereItIsAskedFor() throws {
    let parts = Ink.style.components(separatedBy: "@media (prefers-color-scheme: dark) {")
    XCTAssertEqual(parts.count, 2)
    for (ink, part) in zip([Ink.light, .dark], parts) {
      XCTAssertTrue(part.contains(".ground { fill: \(ink.ground); }"))
      for kind in ink.kinds {
        XCTAssertTrue(part.contains(".\(kind.name) { fill: \(kind.colour); }"), kind.name)
      }
    }
  }

  /// As the guidelines of the web's consortium (WCAG 2.2, 1.4.3 and 1.4.11) ask for.
  func testTextHasAContrastOfAtLeastFourAndAHalfAndLinesOfThree() {
    for ink in [Ink.light, .dark] {
      for text in [ink.ink, ink.quiet, ink.pool] {
        for ground in [ink.ground, ink.box, ink.poolGround] {
          XCTAssertGreaterThanOrEqual(contrast(text, ground), 4.5, "\(text) on \(ground)")
        }
      }
      XCTAssertGreaterThanOrEqual(contrast(ink.edge, ink.ground), 3)
      XCTAssertGreaterThanOrEqual(contrast(ink.edge, ink.poolGround), 3)
    }
  }

  private func contrast(_ one: String, _ other: String) -> Double {
    let (low, high) = (min(light(one), light(other)), max(light(one), light(other)))
    return (high + 0.05) / (low + 0.05)
  }

  /// The relative luminance of a colour in hexadecimal digits.
  private func light(_ colour: String) -> Double {
    let bits = Int(colour.dropFirst(), radix: 16) ?? 0
    let parts = [16, 8, 0].map { shift -> Double in
      let part = Double(bits >> shift & 255) / 255
      return part <= 0.04045 ? part / 12.92 : pow((part + 0.055) / 1.055, 2.4)
    }
    return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]
  }
}
