import XCTest

@testable import StrataCore
@testable import StrataHTTP
@testable import StrataNetwork
@testable import StrataVerbs

/// Heads with as many fields, list members, or directives as fit into a head. Without bounds and
/// linear steps, each of these tests takes many seconds.
final class HeaderFieldsBoundsTests: XCTestCase {
  private func names(_ count: Int) -> [String] { (0..<count).map { "n\($0)" } }
  private func list(_ count: Int) -> String { names(count).joined(separator: ",") }

  func testA304WithManyFieldsUpdatesEachOfThem() {
    let stored = StoredResponse.made("max-age=1")
    let fields = HeaderFields(names(30_000).map { .init(name: $0, value: "1") })
    let result = HTTPCachePolicy().freshened(
      stored, by: .made(fields, status: 304), for: .made())
    XCTAssertEqual(result.response.fields.count, 30_002)
    let again = HTTPCachePolicy().freshened(
      result, by: .made(fields, status: 304), for: .made())
    XCTAssertEqual(again.response.fields.count, 30_002)
  }

  func testManyNamesInConnectionAreRemoved() {
    let names = names(20_000)
    let fields = HeaderFields(
      names.map { .init(name: $0, value: "1") } + [.init(name: "Connection", value: list(20_000))])
    XCTAssertEqual(fields.endToEnd.count, 0)
  }

  func testManyNamesInNoCacheAreRemoved() {
    let fields = HeaderFields(
      names(20_000).map { .init(name: $0, value: "1") }
        + [.init(name: "Cache-Control", value: "no-cache=\"\(list(20_000))\"")])
    XCTAssertEqual(StoredFields.storable(fields, for: HTTPCachePolicy()).count, 1)
  }

  func testTooManyDirectivesAreNoStore() {
    XCTAssertEqual(CacheControl(["Cache-Control": list(1024)]).directives.count, 1024)
    for fields: HeaderFields in [
      ["Cache-Control": "max-age=60, \(list(1024))"],
      HeaderFields((0..<20_000).map { _ in .init(name: "Cache-Control", value: "max-age=60") }),
    ] {
      XCTAssertEqual(HTTPCachePolicy().refusal(to: .made(fields), for: .made()), .noStore)
      XCTAssertEqual(CacheControl(fields).directives.map(\.name), ["no-store"])
    }
  }

  func testTooManyTargetedDirectivesAreIgnored() {
    let lists = (0..<20_000).map { HeaderFields.Field(name: "CDN-Cache-Control", value: "a\($0)") }
    let shared = HTTPCachePolicy(isShared: true)
    XCTAssertTrue(shared.directives(of: HeaderFields(Array(lists.prefix(1024)))).isTargeted)
    XCTAssertFalse(shared.directives(of: HeaderFields(lists)).isTargeted)
  }

  func testTooManyNamesInVaryMatchNothing() {
    let policy = HTTPCachePolicy()
    for (count, refusal) in [(64, nil), (65, .vary), (20_000, .vary)]
      as [(Int, HTTPCachePolicy.Refusal?)]
    {
      let response = NetworkResponse.cached("max-age=60", ["Vary": list(count)])
      XCTAssertEqual(policy.refusal(to: response, for: .made()), refusal)
      XCTAssertEqual(Vary.matches(policy.stored(response, for: .made()), [:]), refusal == nil)
    }
  }
}
