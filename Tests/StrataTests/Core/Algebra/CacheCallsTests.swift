import StrataLaws
import XCTest

@testable import StrataCore

final class CacheCallsTests: XCTestCase {
  func testValueGivesTheValueOrTheMissOrTheError() async throws {  // T51
    let level = ScriptedLevel(0, LevelScript(contents: [0: 5], getFaults: [2: .failure]))
    let cache = level.cache
    let value = try await cache.value(for: 0)
    XCTAssertEqual(value, 5)
    do {
      _ = try await cache.value(for: 1)
      XCTFail("A miss throws.")
    } catch { XCTAssertTrue(error.isMiss) }
    do {
      _ = try await cache.findValue(for: 2)
      XCTFail("An error is not a miss.")
    } catch { XCTAssertEqual(error as? ScriptError, ScriptError(level: 0, key: 2, isMiss: false)) }
    let missing = try await cache.findValue(for: 1)
    XCTAssertNil(missing)
  }
}
