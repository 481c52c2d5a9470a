import XCTest

@testable import StrataCore

final class CachePlanArgumentsTests: XCTestCase {
  func testArgumentsReadAsInACall() {
    let arguments: CachePlan.Arguments = [
      nil: .count(-1), "b": .bytes(100_000_000), "f": .fraction(0.1),
      "d": .duration(.milliseconds(1_500)), "t": .text("a b"), "n": .name("main"),
      "at": .date(.init(sinceEpoch: .seconds(1_767_225_600))),
      "p": .plan(.sum([.level("a", .memory), .level("b", .origin)])),
    ]
    XCTAssertEqual(
      "\(arguments)",
      "-1, b: 100 MB, f: 0.1, d: 1.5 s, t: \"a b\", n: main, at: 2026-01-01T00:00:00Z, p: a + b")
    XCTAssertEqual("\([:] as CachePlan.Arguments)", "")
  }

  func testAnArgumentIsReadChangedAddedAndRemovedByItsLabel() {
    var arguments: CachePlan.Arguments = [nil: .count(1), "a": .count(2), "a": .count(3)]
    XCTAssertEqual([arguments[nil], arguments["a"], arguments["b"]], [.count(1), .count(2), nil])
    arguments["a"] = .bytes(4)
    arguments["b"] = .name("n")
    arguments[nil] = nil
    arguments["c"] = nil
    XCTAssertEqual(arguments, ["a": .bytes(4), "a": .count(3), "b": .name("n")])
    XCTAssertEqual(
      CachePlan.Arguments([.init(value: .count(1)), .init(label: "a", value: .count(2))]),
      [nil: .count(1), "a": .count(2)])
  }
}
