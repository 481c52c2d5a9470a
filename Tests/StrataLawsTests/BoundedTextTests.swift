import Foundation
import Strata
import XCTest

@testable import StrataLaws

/// Tests that the text of a value is the text that Swift prints, except for values that are too deep
/// or too long.
final class BoundedTextTests: XCTestCase {
  private struct Point: Equatable, Sendable { var x = 1, name = "a" }
  private enum Shape: Equatable { case none, circle(Int), line(from: Int, to: Int) }
  private indirect enum List: Equatable, Sendable { case end, link(Int, List) }
  private final class Node: Sendable, Equatable {
    let number: Int
    let children = Lock<[Node]>([])
    init(_ number: Int) { self.number = number }
    static func == (one: Node, other: Node) -> Bool { one.number == other.number }
  }
  private struct Owner: Equatable, Sendable { let node: Node }

  func testAnOrdinaryValueHasTheTextOfSwift() {
    XCTAssertEqual(BoundedText.of(7), "7")
    XCTAssertEqual(BoundedText.of(Int?.none as Any), "nil")
    XCTAssertEqual(BoundedText.of(Int?.some(7) as Any), "Optional(7)")
    XCTAssertEqual(BoundedText.of(Point()), "\(Point())")
    XCTAssertEqual(
      BoundedText.of([Point(), Point()]), "[Point(x: 1, name: \"a\"), Point(x: 1, name: \"a\")]")
    XCTAssertEqual(BoundedText.of([1: "a"]), "[1: \"a\"]")
    XCTAssertEqual(BoundedText.of([Int: Int]()), "[:]")
    XCTAssertEqual(BoundedText.of((1, second: 2)), "\((1, second: 2))")
    XCTAssertEqual(BoundedText.of(Shape.none), "\(Shape.none)")
    XCTAssertEqual(BoundedText.of(Shape.circle(3)), "\(Shape.circle(3))")
    XCTAssertEqual(BoundedText.of(Shape.line(from: 1, to: 2)), "\(Shape.line(from: 1, to: 2))")
    XCTAssertEqual(BoundedText.of(CacheError.notFound), "\(CacheError.notFound)")
  }

  func testAMirrorWithoutPairsHasAText() {
    struct Table: CustomReflectable {
      var customMirror: Mirror { Mirror(self, children: ["a": 1], displayStyle: .dictionary) }
    }
    XCTAssertEqual(BoundedText.of(Table()), "[a: 1]")
  }

  func testADeepValueHasAText() {
    let text = onSmallStack {
      let list = (0..<2_000).reduce(List.end) { .link($1, $0) }
      return BoundedText.of(list)
    }
    XCTAssertTrue(text.hasPrefix("link(1999, link(1998, "), text)
    XCTAssertTrue(text.contains("…"), text)
  }

  func testALongValueHasAShortText() {
    XCTAssertLessThan(BoundedText.of(Array(repeating: [1], count: 100_000)).count, 2_000)
    XCTAssertLessThan(LawText.of(Array(0..<100_000)).count, 300)
  }

  func testACharacterOfManyScalarsHasAText() {
    let text = "e" + String(repeating: "\u{301}", count: 10_000)
    XCTAssertEqual(text.count, 1)
    XCTAssertLessThan(LawText.of(text).count, 600)
    XCTAssertLessThan(LawText.shortened(text).unicodeScalars.count, 300)
  }

  func testValuesThatContainThemselvesAreCompared() {
    func ring(_ number: Int) -> Owner {
      let nodes = (0..<6).map { _ in Node(number) }
      for node in nodes { node.children.withLock { $0 = nodes } }
      return Owner(node: nodes[0])
    }
    let (one, other) = (ring(1), ring(2))
    XCTAssertEqual(LawText.difference(one, other), "in .node.number, 1 instead of 2")
    XCTAssertNil(LawText.difference(one, ring(1)))
    for owner in [one, other] {
      owner.node.children.withLock { $0 }.forEach { $0.children.withLock { $0 = [] } }
    }
  }

  /// The law of a level whose values are deep reports a fault instead of overflowing the stack.
  func testAViolationWithDeepValuesHasAReport() throws {
    let text = try onSmallStack {
      Result {
        let laws = Laws.level("deep") {
          Draft<Int, Deep>().cache <*> Codec(decode: { _ in Deep.sample(9999) }, encode: { $0 })
        }
        return try XCTUnwrap(laws.laws.first { $0.name == "level.values" }?.violation(cases: 20))
          .description
      }
    }.get()
    XCTAssertLessThan(text.count, 12_000)
  }

  private struct Deep: LawSample {
    let number: Int
    let list: List
    static func sample(_ number: Int) -> Deep {
      Deep(number: number, list: (0..<2_000).reduce(List.end) { .link($1, $0) })
    }
    static func == (one: Deep, other: Deep) -> Bool { one.number == other.number }
  }
}
