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
    try expect("README", states: "Strata has no dependencies.")
    XCTAssertFalse(manifest.contains(".package("))
    try expect("README", states: "Strata needs Swift 6.2. ")
    XCTAssertTrue(manifest.hasPrefix("// swift-tools-version: 6.2\n"))
    try expect(
      "README", states: "macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, and later versions.")
    XCTAssertTrue(
      manifest.contains(".macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)"))
    try expect("README", states: "`swift run page-layers` runs one of nine pages.")
    let pages = try FileManager.default.contentsOfDirectory(
      atPath: Self.package.appendingPathComponent("Playgrounds/Strata.playground/Pages").path)
    XCTAssertEqual(pages.count, 9)
    XCTAssertEqual(manifest.components(separatedBy: "page(\"page-").count - 1, 9)
  }

  func testTheDefaultsOfTheLevels() throws {
    try expect("README", states: "1,000 values, and at most 64 MiB of data or text")
    XCTAssertEqual(memory.plan.description, "memory(1000)")
    let bodies: Cache<Int, Data> = .memory()
    for key in 0..<5 { _ = bodies.set(key, Data(count: 20 << 20)) }
    XCTAssertEqual((0..<5).count { bodies.get($0).outcome?.value != nil }, 3)
    try expect("README", states: "up to 100 MB of `Data` under `String` keys")
    XCTAssertEqual(Cache<String, Data>.disk("pages").plan.description, "disk(100 MB)")
  }

  func testTheValuesOfTheNetwork() throws {
    try expect("README", states: "a complete 2xx response, except 204 and 206, is a value")
    try expect("README", states: "404 and 410 are misses")
    let url = try XCTUnwrap(URL(string: "http://a.test/"))
    let start = TimeSource.Instant(sinceEpoch: .zero)
    for status in [200, 203, 204, 206, 404, 410, 500] {
      let response = NetworkResponse(
        status: status, body: Data(), url: url, requestTime: start, responseTime: start)
      let result = Result { try ResponseRule.success.value(response) }
      XCTAssertEqual((try? result.get()) != nil, [200, 203].contains(status), "\(status)")
      guard case .failure(let error) = result else { continue }
      XCTAssertEqual(error.isMiss, [404, 410].contains(status), "\(status)")
    }
  }

  func testTheOrderOfTheMapsDecidesWhichOfTwoErrorsASetReports() throws {
    try expect("README", states: "except which of two errors a set reports")
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
      ("863 ns, 6.88x", "863 ns: `NSCache` on Linux"), ("21.2 ns, 0.48x", "| 21.2 ns |"),
      ("44.6 ns", "44.6 ns, 770 ns |"), ("770 ns, 17.2x", "770 ns |"),
      ("44.2 ns, 0.4x", "| 44.2 ns |"), ("41 ns, 0.37x", "41 ns: one level"),
    ] {
      XCTAssertTrue(drawing.contains(">\(shown)<"), shown)
      XCTAssertTrue(readme.contains(stated), stated)
    }
  }

  func testTheSizeOfAProgramIsThatOfTheBudget() throws {
    try expect("README", states: "network add about 1.4 MB")
    let lines = try text(of: ".ci/weight.budget").split(separator: "\n")
    let headline = try XCTUnwrap(lines.first { $0.hasPrefix("headline ") })
    let bytes = try XCTUnwrap(Double(headline.dropFirst(9)))
    XCTAssertEqual(bytes / 1.02 / 1_000_000, 1.4, accuracy: 0.05)  // The budget adds 2 %.
  }
}
