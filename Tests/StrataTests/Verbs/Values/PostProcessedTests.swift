import StrataLaws
import XCTest

@testable import StrataCore
@testable import StrataVerbs

final class PostProcessedTests: XCTestCase {
  private let level = ScriptedLevel(
    0, LevelScript(contents: [0: 5, 1: 6, 2: 7], getFaults: [3: .failure]))

  func testAGetIsProcessedAndASetIsNot() {  // T23
    let cache = level.cache.postProcessed(Transformer { $0 * 10 })
    _ = cache.set(4, 4)
    XCTAssertEqual([cache.get(4).answer, cache.get(4).answer], ["40", "40"])
    XCTAssertEqual(level.events, ["set 4 4", "get 4", "get 4"])
  }

  func testFailuresOfBothKindsFailTheGet() {  // T23
    let broken = level.cache.postProcessed(Transformer<Int, Int> { _ in throw Broken.here })
    XCTAssertEqual(broken.get(0).answer, "Broken.here")
    XCTAssertEqual(broken.get(3).answer, level.cache.get(3).answer)
    XCTAssertEqual(broken.get(9).answer, "not found")
  }

  func testOneKeyIsProcessedAnotherPassesAThirdFails() {  // T24
    let cache = level.cache.postProcessed { key, value in
      guard key != 2 else { throw Broken.here }
      return key == 1 ? value * 10 : value
    }
    XCTAssertEqual((0..<3).map { cache.get($0).answer }, ["5", "60", "Broken.here"])
  }

  func testAnAsyncFunctionIsCancelledWithTheGet() {  // T68
    let journal = Journal<String>()
    let later = Later<Int>("process", in: journal)
    let get = level.cache.postProcessed(with: { _, _ in later.promise }).get(0)
    XCTAssertEqual(get.answer, "no answer")
    get.cancel()
    XCTAssertEqual(journal.entries, ["process stopped"])
  }

  func testASumBackFillsTheProcessedValue() {
    let upper = ScriptedLevel(1, LevelScript())
    let cache = upper.cache + level.cache.postProcessed(Transformer { $0 * 10 })
    XCTAssertEqual(cache.get(0).answer, "50")
    XCTAssertEqual(upper.events, ["get 0", "set 0 50"])
  }

  func testAFetcherIsPostProcessedToo() async throws {
    let fetcher = level.cache.fetcher
    let processed = fetcher.postProcessed(Transformer { $0 + 1 })
      .postProcessed { key, value in value * 10 + key }
      .postProcessed { _, value async throws -> Int in value }
    let value = try await processed.value(for: 0)
    XCTAssertEqual(value, 60)
    XCTAssertEqual(
      fetcher.postProcessed(Transformer { $0 + 1 }).plan.description, "cache.postProcessed()")
    XCTAssertEqual(
      fetcher.postProcessed(Transformer { $0 + 1 }).get(1).answer,
      fetcher.mapValues(Transformer { $0 + 1 }).get(1).answer)
  }
}
