import StrataLaws
import XCTest

@testable import StrataCore
@testable import StrataVerbs

final class CacheUpdatesMapTests: XCTestCase {
  private let upper = ScriptedLevel(0, LevelScript(contents: [0: 1]))

  private func text(_ update: CacheUpdate<Int>?) -> String {
    update.map { "\($0.source) \($0.value)" } ?? "the end"
  }

  func testKeysAndValuesAreMapped() async throws {
    let codec = Codec<Int, String>(decode: { "\($0)" }, encode: { Int($0) ?? 0 })
    let updates = upper.cache.updating(from: Fetcher(offMainThread: false) { $0 + 7 })
    let length: @Sendable (String) -> Int = { $0.count }
    for mapped in [updates.mapKeys(length).mapValues(codec)] {
      _ = upper.cache.set(0, 1)
      var seen: [String] = []
      for try await update in mapped.values("") { seen.append(update.value) }
      XCTAssertEqual(seen, ["1", "7"])
      XCTAssertEqual("\(mapped.plan)", "keys <^> cache.updating(from: fetcher) <*> codec")
    }
  }

  func testACachedValueThatDoesNotDecodeIsLeftOut() async throws {
    let updates = upper.cache.updating(from: Fetcher(offMainThread: false) { $0 + 7 }).mapValues(
      .fragile)
    var seen: [String] = []
    for try await update in updates.values(0) { seen.append(text(update)) }
    XCTAssertEqual(seen, ["fresh 17"])
  }
}
