import XCTest

@testable import StrataCore
@testable import StrataExplain
@testable import StrataVerbs

final class PlanRendererTests: XCTestCase {
  private let long = String(repeating: "l", count: 100)

  /// Returns the lengths of the texts of a diagram of the given width, without empty ones.
  private func lengths(_ plan: CachePlan, width: Double) throws -> [Int] {
    var renderer = PlanRenderer(drawing: Drawing(title: ""))
    _ = renderer.draw(PlanDiagram(plan), x: 0, y: 0, width: width)
    return try svgTexts(renderer.drawing.svg(height: 100)).dropFirst(2).map(\.count)
  }

  /// A text in a box has 16 units of space on its left and 12 units on its right.
  func testALongTextFillsItsBox() throws {
    let level = CachePlan.verb(.level(CachePlan.Kind(long), .memory), CachePlan.Kind(long))
    for count in 20..<60 {
      let room = Drawing.character * Double(count)
      XCTAssertEqual(try lengths(level, width: 16 + room + 12.1), [count, count])
      XCTAssertEqual(try lengths(level, width: 16 + room + 11.9), [count - 1, count - 1])
    }
  }

  /// The verbs of a frame have 12 units of space on each side.
  func testALongVerbFillsItsFrame() throws {
    let level = CachePlan.level("a", .memory)
    let sum = CachePlan.verb(.sum([level, level]), CachePlan.Kind(long))
    for count in 20..<60 {
      let room = Drawing.character * Double(count)
      XCTAssertEqual(try lengths(sum, width: 12 + room + 12.1).first, count)
      XCTAssertEqual(try lengths(sum, width: 12 + room + 11.9).first, count - 1)
    }
  }

  func testABoundIsShownNextToTheTitleAsFarAsThereIsRoom() throws {
    let level = CachePlan.level("shelf", .storage, [nil: .text(long)])
    let width = 28.1 + Drawing.character * 30
    XCTAssertEqual(try lengths(level, width: width), [5, 30 - 5 - 2])
  }
}
