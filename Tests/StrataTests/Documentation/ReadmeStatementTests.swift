import Foundation
import Strata
import XCTest

final class ReadmeStatementTests: StatementCase {
  func testEachOperatorIsAMethod() throws {
    try expect("README", states: "`a.backed(by: b)` |")
    XCTAssertEqual((memory + below).plan, memory.backed(by: below).plan)
    try expect("README", states: "`a.mapKeys(f)` |")
    XCTAssertEqual((\URL.path <^> memory).plan, memory.mapKeys(\URL.path).plan)
    try expect("README", states: "`a.mapValues(c)` |")
    let data: Cache<String, Data> = .memory()
    XCTAssertEqual((data <*> .utf8).plan, data.mapValues(.utf8).plan)
    try expect("README", states: "`c.then(d)` |")
    let text: Codec<Data, String> = .utf8
    XCTAssertEqual((text >>> .identity).label, text.then(.identity).label)
  }

  func testTheMapsBindTighterThanTheSum() throws {
    try expect("README", states: "`<^>`, `<*>`, and `>>>` bind tighter than `+`.")
    let disk: Cache<String, Data> = .memory(capacity: 5)
    let identity: Codec<Data, Data> = .identity
    let codec = identity >>> Codec.utf8
    let sum = memory + \.self <^> disk <*> identity >>> .utf8
    XCTAssertEqual(sum.plan, memory.backed(by: disk.mapKeys(\.self).mapValues(codec)).plan)
  }

  func testTheManifest() throws {
    let manifest = try text(of: "Package.swift")
    try expect("README", states: "Strata needs Swift 6.2 and has no dependencies.")
    XCTAssertFalse(manifest.contains(".package("))
    XCTAssertTrue(manifest.hasPrefix("// swift-tools-version: 6.2\n"))
    try expect(
      "README", states: "macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, and later versions.")
    XCTAssertTrue(
      manifest.contains(".macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)"))
  }

  func testTheOrderOfTheMapsDecidesWhichOfTwoErrorsASetReports() throws {
    try expect("README", states: "One exception: if both maps fail in a set")
    struct OfKey: Error {}
    struct OfValue: Error {}
    let key: @Sendable (Int) throws -> String = { _ in throw OfKey() }
    let codec = Codec<String, Int>(
      decode: { text in text.count }, encode: { (_: Int) throws -> String in throw OfValue() })
    let outer = ((key <^> below) <*> codec).set(1, 1)
    let inner = (key <^> (below <*> codec)).set(1, 1)
    XCTAssertTrue(try ended(outer).error is OfValue)
    XCTAssertTrue(try ended(inner).error is OfKey)
  }

  func testTheNumbersAreThoseOfTheDrawing() throws {
    let drawing = try text(of: "Sources/Strata/Strata.docc/Resources/hit-cost.svg")
    let readme = try text(of: "README.md")
    for (shown, stated) in [
      ("49.9 ns, 0.39x", "| 49.9 ns |"), ("127 ns", "127 ns: dictionary under one lock"),
      ("863 ns, 6.88x", "863 ns: `NSCache` on Linux"),
    ] {
      XCTAssertTrue(drawing.contains(">\(shown)<"), shown)
      XCTAssertTrue(readme.contains(stated), stated)
    }
  }

  func testTheSizeOfAProgramIsThatOfTheBudget() throws {
    let lines = try text(of: ".ci/weight.budget").split(separator: "\n")
    for (row, size, stated) in [
      ("headline ", 1.9, "network add about 1.9 MB"), ("core ", 0.7, "StrataCore` adds 0.7 MB"),
    ] {
      try expect("README", states: stated)
      let line = try XCTUnwrap(lines.first { $0.hasPrefix(row) })
      let bytes = try XCTUnwrap(Double(line.dropFirst(row.count)))
      XCTAssertEqual(bytes / 1.02 / 1_000_000, size, accuracy: 0.05)  // The budget adds 2 %.
    }
  }
}
