import Foundation
import XCTest

@testable import StrataCore
@testable import StrataVerbs

final class EncodingDepthTests: XCTestCase {
  private func isFine(_ value: some Encodable) -> Bool {
    (try? EncodingDepth.check(value, userInfo: [:])) != nil
  }

  /// Arrays that contain each other, and a value in the innermost one.
  private struct Nested<Leaf: Encodable & Sendable>: Encodable {
    let depth: Int
    let leaf: Leaf?

    func encode(to encoder: any Encoder) throws {
      var container = encoder.unkeyedContainer()
      if depth > 1 {
        try container.encode(Nested(depth: depth - 1, leaf: leaf))
      } else if let leaf {
        try container.encode(leaf)
      }
    }
  }

  func testContainersAreNestedAtMost128Deep() {
    for (depth, expected) in [(127, true), (128, true), (129, false)] {
      XCTAssertEqual(isFine(Nested<Int>(depth: depth, leaf: nil)), expected)
      XCTAssertEqual(isFine(Nested(depth: depth, leaf: 1)), expected)
      XCTAssertEqual(isFine(Nested(depth: depth, leaf: Date())), expected)
    }
  }

  /// A value that encodes another value without a container of its own.
  private struct Wrapped: Encodable {
    let depth: Int

    func encode(to encoder: any Encoder) throws {
      var container = encoder.singleValueContainer()
      if depth > 1 {
        try container.encode(Wrapped(depth: depth - 1))
      } else {
        try container.encode(1)
      }
    }
  }

  /// Each of them takes a part of the stack, too.
  func testValuesWithoutContainersAreNestedAtMost257Deep() {
    XCTAssertTrue(isFine(Wrapped(depth: 257)))
    XCTAssertFalse(isFine(Wrapped(depth: 258)))
  }

  /// A value whose encoding depends on the count of its container, as that of Foundation does.
  private struct Counting: Encodable {
    func encode(to encoder: any Encoder) throws {
      var container = encoder.unkeyedContainer()
      var counts = [container.count]
      try container.encodeNil()
      counts.append(container.count)
      try container.encode(true)
      counts.append(container.count)
      try container.encode("a")
      counts.append(container.count)
      try container.encode(1)
      counts.append(container.count)
      try container.encode(1.5)
      counts.append(container.count)
      try container.encode([UInt8(1)])
      counts.append(container.count)
      _ = container.nestedContainer(keyedBy: Name.self)
      counts.append(container.count)
      _ = container.nestedUnkeyedContainer()
      counts.append(container.count)
      _ = container.superEncoder()
      counts.append(container.count)
      guard counts == Array(0...9) else { throw Miscount(counts: counts) }
    }

    enum Name: CodingKey { case a }
    struct Miscount: Error { let counts: [Int] }
  }

  func testAContainerCountsItsValues() {
    XCTAssertNoThrow(try EncodingDepth.check(Counting(), userInfo: [:]))
  }
}
