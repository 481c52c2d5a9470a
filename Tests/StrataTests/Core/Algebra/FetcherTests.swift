import StrataLaws
import XCTest

@testable import StrataCore
@testable import StrataVerbs

final class FetcherTests: XCTestCase {
  private struct Broken: Error, Equatable {}

  func testWritesSucceedAndChangeNothing() {  // T48
    let cache = Fetcher<Int, Int>(offMainThread: false) { key in key * 2 }
    XCTAssertEqual(cache.set(1, 9).answer, "()")
    XCTAssertEqual(cache.get(1).answer, "2")
    XCTAssertEqual(cache.remove(1).answer, "()")
    XCTAssertEqual(cache.clear().answer, "()")
    XCTAssertEqual(cache.get(1).answer, "2")
  }

  func testThreeConcurrentGetsComplete() async throws {  // T48
    let fetcher = Fetcher<Int, Int> { key async throws -> Int in key * 2 }
    let gets = (0..<3).map { fetcher.get($0) }
    let values = try await Promise<Int>.all(gets).value
    XCTAssertEqual(values, [0, 2, 4])
  }

  func testAFunctionOfAnyKindMakesAFetcher() async throws {
    let promising = Fetcher<Int, Int> { Promise($0) }
    let throwing = Fetcher<Int, Int>(offMainThread: false) { _ in throw Broken() }
    let async = Fetcher<Int, Int> { key in
      await Task.yield()
      return key
    }
    let value = try await async.value(for: 3)
    XCTAssertEqual([promising.get(1).answer, "\(value)"], ["1", "3"])
    XCTAssertEqual(throwing.get(1).answer, Promise<Int>(error: Broken()).answer)
  }

  func testCancellingAnAsyncFetchCancelsItsTask() async throws {
    let cancelled = Pending<Void>()
    let fetcher = Fetcher<Int, Int> { _ in
      try await withTaskCancellationHandler {
        try await Promise<Int>(.pending(Pending())).value
      } onCancel: {
        cancelled.settle(.success(()))
      }
    }
    fetcher.get(0).cancel()
    try await Promise<Void>(.pending(cancelled)).value
  }

  func testTheWritesOfACacheAreForgotten() {
    let level = ScriptedLevel(0, LevelScript(contents: [0: 1]))
    let cache = level.cache.fetcher
    _ = cache.set(0, 2)
    _ = cache.clear()
    XCTAssertEqual(cache.get(0).answer, "1")
    XCTAssertEqual(level.events, ["get 0"])
  }

  func testFindReturnsNilForAMissAndThrowsOtherErrors() async throws {  // T51
    let fetcher = Fetcher<Int, Int>(offMainThread: false) { key in
      switch key {
      case 0: return 5
      case 1: throw CacheError.notFound
      case 2: throw CacheError.conditionNotSatisfied
      default: throw Broken()
      }
    }
    let found = [
      try await fetcher.findValue(for: 0), try await fetcher.findValue(for: 1),
      try await fetcher.findValue(for: 2),
    ]
    XCTAssertEqual(found, [5, nil, nil])
    do {
      _ = try await fetcher.findValue(for: 3)
      XCTFail("An error is not a miss.")
    } catch { XCTAssertEqual(error as? Broken, Broken()) }
  }

  func testAnEmptyBatchIsSynchronous() {  // T65
    let fetcher = Fetcher<Int, Int>(offMainThread: false) { $0 }
    XCTAssertEqual(fetcher.values(of: []).answer, "[]")
    XCTAssertEqual(Promise<Int>.all([]).answer, "[]")
    XCTAssertEqual(fetcher.known(of: []).answer, "[:]")
  }
}
