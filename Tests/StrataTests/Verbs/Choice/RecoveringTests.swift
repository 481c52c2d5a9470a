import StrataLaws
import XCTest

@testable import StrataCore
@testable import StrataVerbs

final class RecoveringTests: XCTestCase {
  private let level = ScriptedLevel(
    0, LevelScript(contents: [0: 5], getFaults: [1: .failure, 2: .cancellation]))

  func testOnlyFailuresAreRecovered() {  // T57
    let asked = Journal<Int>()
    let cache = level.cache.recovering { key, _ in
      asked.note(key)
      return 100 + key
    }
    XCTAssertEqual(
      (0..<4).map { cache.get($0).answer }, ["5", "101", "cancelled", "103"])
    XCTAssertEqual(asked.entries, [1, 3])
  }

  func testAThrownErrorIsTheFailure() {
    let cache = level.cache.recovering { _, error in
      guard error.isMiss else { throw Broken.here }
      return 0
    }
    XCTAssertEqual([cache.get(1).answer, cache.get(3).answer], ["Broken.here", "0"])
  }

  func testARecoveredValueIsNotStored() {
    _ = level.cache.recovering { _, _ in 7 }.get(3)
    XCTAssertEqual(level.events, ["get 3"])
  }

  func testAnAsyncFunctionIsCancelledWithTheGet() {  // T68
    let journal = Journal<String>()
    let later = Later<Int>("recovery", in: journal)
    let get = level.cache.recovering { _, _ in later.promise }.get(1)
    XCTAssertEqual(get.answer, "no answer")
    get.cancel()
    XCTAssertEqual(journal.entries, ["recovery stopped"])
  }

  func testAFetcherRecoversToo() async throws {
    let fetcher = level.cache.fetcher.recovering { key, _ async throws -> Int in key * 10 }
    let value = try await fetcher.value(for: 3)
    XCTAssertEqual(value, 30)
    XCTAssertEqual(fetcher.plan.description, "cache.recovering()")
    let plain = level.cache.fetcher
    XCTAssertEqual(plain.recovering { _, _ in 1 }.get(3).answer, "1")
    XCTAssertEqual(plain.recovering(with: { _, _ in Promise(2) }).get(3).answer, "2")
  }
}
